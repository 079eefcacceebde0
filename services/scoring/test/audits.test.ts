import { dayMs } from '@shelfwise/runtime/day';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { importances } from '../src/domain/term-schedule.ts';
import { overlapRetryMs } from '../src/stores/listing-store.ts';
import {
  type Auditing,
  appIdOf,
  createAuditingHarness,
  fiveOf,
  textOfFive,
  trackedListing,
} from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

/** Runs what is due when the listing has its daily audit. */
async function runOn(day: string): Promise<number> {
  auditing.clock.moveTo(slotOf(1, day));
  return auditing.runDue();
}

const call = { requestId: 'worker', signal: new AbortController().signal };
const published = () => auditing.events('scoring.listing-audited.v1');
const track = () => auditing.track(trackedListing(1));
/** A later revision with another title. */
const retitle = (title: string, revision = 2, copy: Pick<Auditing, 'change'> = auditing) =>
  copy.change(trackedListing(1, { title }, { revision }));
const titleWords = async () => (await auditing.audits.find(1))?.report.fields[0]?.words ?? [];
/** Each word of the title with its status. */
const wordStatus = async () => (await titleWords()).map(({ name, status }) => `${name} ${status}`);
const wordNames = async () => (await titleWords()).map(({ name }) => name);

/** Something happens between the reading of terms for the next audit of a copy and its end. */
function whileAuditing({ terms }: Pick<Auditing, 'terms'>, act: () => Promise<unknown>) {
  const { findAuditTerms } = terms;
  jest.spyOn(terms, 'findAuditTerms').mockImplementationOnce(async (...args) => {
    const scores = await findAuditTerms(...args);
    await act();
    return scores;
  });
}

test('the first audit is stored while the event is handled, without a store call; its words are pending', async () => {
  await track();
  const audit = await auditing.audits.find(1);
  expect(audit).toMatchObject({
    listing_id: 1,
    scoring_version: scoringVersion,
    computed_at: auditing.clock.at,
  });
  expect(await wordStatus()).toEqual(['photo pending', 'editor pending']);
  expect(audit?.report.appeal).toMatchObject({ rating: 4.5, screenshots: 1, screenshots_target: 6 });
});

test('nothing is published before 80 % of the words are read, whatever their suggestions say; then the scores are', async () => {
  await auditing.track(trackedListing(1, { title: 'Photo Editor', subtitle: 'Collage, filters, camera' }));
  await auditing.measureAll(['photo', 'editor', 'collage']);
  // The store suggests these words, but their result pages cannot be read.
  for (const word of ['filters', 'camera', 'photo editor'])
    await auditing.measure(word, { traffic: 60, difficulty: null, search_status: 'ungraded' });
  await auditing.runDue();
  await runOn('2026-03-11');
  expect(await published()).toEqual([]);
  expect(await auditing.health(trackedListing(1))).toMatchObject({ report: null, is_pending: true });
  auditing.clock.advance(1000);
  await auditing.measure('filters', {});
  await auditing.runDue();
  const { global, tier, axes } = (await auditing.audits.find(1))?.report ?? {};
  expect(await published()).toEqual([
    {
      id: 1,
      global,
      tier,
      scoring_version: scoringVersion,
      computed_at: auditing.clock.at,
      ...Object.fromEntries((axes ?? []).map(({ key, score }) => [key, score])),
      pending_at: null,
      is_partial: false,
    },
  ]);
  expect(global).toBeGreaterThan(0);
  expect(auditing.wake).toHaveBeenCalledTimes(1);
  expect((await auditing.health(trackedListing(1))).report?.global).toBe(global);
});

test('while all new words of a listing are pending, the previous scores are published as those of an earlier listing, once', async () => {
  await track();
  await auditing.measureAll(['photo', 'editor']);
  await auditing.runDue();
  const shown = await published();
  const [first] = shown;
  if (shown.length !== 1 || !first) throw new Error('the first shown audit is published once');
  auditing.clock.advance(60_000);
  await retitle('Camera');
  expect(await auditing.runDue()).toBe(1);
  shown.push({ ...first, pending_at: auditing.clock.at });
  expect(await published()).toEqual(shown);
  await auditing.auditor.audit(1, 'request-1');
  expect(await published()).toEqual(shown);
  await runOn('2026-03-11');
  shown.push({ ...first, pending_at: auditing.clock.at });
  expect(await published()).toEqual(shown);
  await auditing.measure('camera', { traffic: 90 });
  await auditing.runDue();
  expect(await published()).toHaveLength(shown.length + 1);
});

test('an audit says while it leaves out a term whose traffic is partial, and again when it is complete', async () => {
  const app = trackedListing(1);
  await auditing.track(app);
  await auditing.measure('photo', {});
  await auditing.measure('editor', {});
  await auditing.measure('photo editor', { is_partial: true });
  await auditing.runDue();
  expect(await auditing.health(app)).toMatchObject({ is_pending: false, is_partial: true });
  await auditing.measure('photo editor', {});
  await auditing.runDue();
  expect(await auditing.health(app)).toMatchObject({ is_pending: false, is_partial: false });
  const events = await published();
  expect(events.map((event) => event.is_partial)).toEqual([true, false]);
});

test('the app’s rank on a kept page of another form counts, and is fixed with the audit', async () => {
  const app = trackedListing(1);
  for (const keyword of ['photo', 'editor', 'photo editor']) await auditing.measure(keyword, {}, ['another']);
  await auditing.measure('photos', {}, ['another', 'one more', appIdOf(1)]);
  await auditing.track(app);
  await auditing.runDue();
  const { report } = await auditing.health(app, true);
  const words = report?.fields[0]?.words.map(({ name, rank, status }) => [name, rank ?? null, status]);
  expect(words).toEqual([
    ['photo', 3, 'earning'],
    ['editor', null, 'irrelevant'],
  ]);
  const [stored] = await auditing.rows('audits');
  expect(stored?.form_ranks).toEqual([{ form: 'photo', rank: 3 }]);
});

test('so it does among any number of forms on whose pages the app is not', async () => {
  const auditing = await startAuditing();
  await auditing.measure(['photo', 'editor', 'photo editor'], {}, ['another']);
  const signs = Array.from({ length: 401 }, (_, at) =>
    at.toString(2).replaceAll('0', '-').replaceAll('1', '!'),
  );
  await auditing.measureAndDie(
    signs.map((sign) => `${sign}photo`),
    {},
    ['another'],
  );
  await auditing.measure('photos', {}, ['another', 'one more', appIdOf(1)]);
  await auditing.track(trackedListing(1));
  await auditing.runDue();
  const stored = await auditing.audits.find(1);
  expect([...(stored?.form_ranks ?? [])]).toEqual([['photo', 3]]);
});

test('the words and phrases of the title are requested for three days: the words first, in their order', async () => {
  await track();
  const requestedUntil = new Date('2026-03-13T09:00:00Z');
  const terms = await auditing.rows('terms');
  const inOrder = terms.toSorted((a, b) => a.importance - b.importance || a.due_at - b.due_at);
  expect(inOrder.map(({ keyword, importance }) => [keyword, importance])).toEqual([
    ['photo', importances.tracked],
    ['editor', importances.tracked],
    ['photo editor', importances.phrase],
  ]);
  expect(inOrder.every((term) => term.due_at <= auditing.clock.at)).toBe(true);
  for (const term of terms) expect(term).toMatchObject({ requested_until: requestedUntil });
});

test('only the first audit makes words urgent, and at most twelve that were never read', async () => {
  const [title, subtitle] = ['ab,cd,ef,gh,ij,kl,mn,op,qr,uv', 'wx,yz,ba,dc,fe,hg,ji,lk,nm,po'];
  await auditing.measure('cd', {});
  await auditing.track(trackedListing(1, { title, subtitle }));
  const urgent = async () =>
    (await auditing.rows('terms'))
      .filter(({ importance }) => importance === importances.tracked)
      .map(({ keyword }) => keyword)
      .toSorted();
  const first = await urgent();
  expect(first).toHaveLength(12);
  expect(first).toEqual(expect.arrayContaining(['ab', 'ef', 'uv', 'wx']));
  expect(first).not.toContain('cd');
  await auditing.measureAll(`${title},${subtitle}`.split(','));
  await auditing.runDue();
  await auditing.change(trackedListing(1, { title: 'Photo Editor', subtitle: '' }, { revision: 2 }));
  await auditing.runDue();
  expect(await urgent()).toEqual(first);
  expect(await auditing.rows('terms')).toContainEqual(
    expect.objectContaining({ keyword: 'photo', importance: importances.indexed }),
  );
});

test('a later daily audit does not make words urgent again, such as those of a store that was blocked meanwhile', async () => {
  await track();
  const awaitedAt = async () =>
    (await auditing.rows('terms')).flatMap(({ awaited_at: at }) => (at ? [at] : []));
  const first = await awaitedAt();
  expect(first).toHaveLength(2);
  auditing.clock.advance(2 * dayMs);
  expect(await auditing.runDue()).toBe(1);
  expect(await awaitedAt()).toEqual(first);
});

test('a listing is audited again as its words are measured, and publishes its scores when they change', async () => {
  await track();
  expect(await auditing.runDue()).toBe(0);
  await auditing.measure('photo', { traffic: 50, difficulty: 20 });
  expect(auditing.wakeWorker).toHaveBeenCalled();
  expect(await auditing.runDue()).toBe(1);
  expect(await wordStatus()).toEqual(['photo earning', 'editor pending']);
  expect(await published()).toHaveLength(0);
  await auditing.measure('editor', { traffic: 90, difficulty: 5 });
  expect(await auditing.runDue()).toBe(1);
  expect(await published()).toHaveLength(1);
  await auditing.measure('editor', { traffic: 10, difficulty: 5 });
  expect(await auditing.runDue()).toBe(1);
  expect(await published()).toHaveLength(2);
  auditing.clock.advance(60_000);
  await auditing.measure('editor', { traffic: 0, difficulty: 5, search_status: 'unsearched' });
  expect(await auditing.runDue()).toBe(1);
  const { report } = (await auditing.audits.find(1)) ?? {};
  expect(report?.targeting.keywords.map(({ name }) => name)).toEqual(['photo']);
});

test('a complete audit stays shown, with its time, until enough words of a changed listing are read', async () => {
  await track();
  await auditing.measureAll(['photo', 'editor']);
  await auditing.runDue();
  const changed = trackedListing(1, { title: 'Camera' }, { revision: 2 });
  const first = (await auditing.health(trackedListing(1))).report;
  expect(first?.fields[0]?.text).toBe('Photo Editor');
  auditing.clock.advance(60_000);
  await auditing.change(changed);
  await auditing.runDue();
  // Twice: the audit after the first pending one keeps it, too.
  await auditing.auditor.audit(1, 'request-1');
  expect(await auditing.health(changed)).toMatchObject({ report: first, is_pending: true });
  auditing.clock.advance(1000);
  await auditing.measure('camera', {});
  await auditing.runDue();
  const { report, ...reply } = await auditing.health(changed);
  expect(report?.fields[0]?.text).toBe('Camera');
  // A second audit of the same time follows, because the first one has chosen words to add: none.
  expect(report?.computed_at).toEqual(new Date(auditing.clock.at.getTime() + 1));
  expect(reply.is_pending).toBe(false);
  expect((await auditing.audits.find(1))?.earlier_report).toBeNull();
});

test('a release that ends before enough of its words are read has no row in the timeline', async () => {
  await auditing.track(trackedListing(1, { version: '1.0' }));
  await auditing.change(trackedListing(1, { version: '2.0' }, { revision: 2 }));
  await auditing.runDue();
  await auditing.measureAll(['photo', 'editor']);
  await auditing.runDue();
  const next = trackedListing(1, { version: '3.0' }, { revision: 3 });
  await auditing.change(next);
  await auditing.runDue();
  const { timeline } = await auditing.health(next);
  expect(timeline.map(({ version }) => version)).toEqual(['2.0']);
});

test('a measured word triggers audits only of listings in its storefront that use it', async () => {
  await track();
  await auditing.track({
    ...trackedListing(2),
    storefront: { store: 'ITUNES', country: 'DE', lang: 'de-DE' },
  });
  await auditing.measure('camera', {});
  expect(await auditing.runDue()).toBe(0);
  await auditing.measure('photo', {});
  expect(await auditing.runDue()).toBe(1);
});

test('a listing without pending words is audited once for all words measured within a minute', async () => {
  await track();
  await auditing.measureAll(['photo', 'editor', 'photo editor']);
  // The first one chooses words to add: none, which the second one shows.
  expect(await auditing.runDue()).toBe(2);
  await auditing.measure('photo', { traffic: 70 });
  await auditing.measure('editor', { traffic: 70 });
  expect(await auditing.runDue()).toBe(0);
  auditing.clock.advance(60_000);
  expect(await auditing.runDue()).toBe(1);
  const words = (await auditing.audits.find(1))?.report.fields[0]?.words;
  expect(words?.map(({ traffic }) => traffic)).toEqual([70, 70]);
});

test('a word measured during an audit is in the next one', async () => {
  await track();
  const findAuditTerms = jest.spyOn(auditing.terms, 'findAuditTerms').mockImplementationOnce(async () => {
    await auditing.measure('photo', {});
    return new Map();
  });
  await auditing.auditor.audit(1, 'request-1');
  expect(findAuditTerms).toHaveBeenCalled();
  expect((await wordStatus())[0]).toBe('photo pending');
  const request = jest.spyOn(auditing.terms, 'requestMeasuring');
  expect(await auditing.runDue()).toBe(1);
  expect((await wordStatus())[0]).toBe('photo earning');
  // The words are the same, so nothing is requested again.
  expect(request).not.toHaveBeenCalled();
});

test.each([
  ['at its beginning', 0],
  ['a moment later', 40],
  ['after longer than any audit takes', 60_000],
  ['later still', 90_000],
])(
  'a word measured during an audit of a listing without pending words is in the next one: %s',
  async (_name, afterMs) => {
    const { clock, measure, runDue } = auditing;
    await track();
    await auditing.measureAll(['photo', 'editor', 'photo editor'], { traffic: 50 });
    await runDue();
    clock.advance(1000);
    await measure('photo', { traffic: 60 });
    clock.advance(60_000);
    whileAuditing(auditing, async () => {
      clock.advance(afterMs);
      await measure('editor', { traffic: 99 });
    });
    await runDue();
    clock.advance(60_000);
    await runDue();
    expect(await titleWords()).toContainEqual(expect.objectContaining({ name: 'editor', traffic: 99 }));
  },
);

test('a listing is audited once a day, at its own time, even when nothing has changed', async () => {
  await track();
  const first = slotOf(1, '2026-03-10') > auditing.clock.at ? ['2026-03-10'] : [];
  for (const day of [...first, '2026-03-11', '2026-03-12']) {
    auditing.clock.moveTo(new Date(slotOf(1, day).getTime() - 1));
    expect(await auditing.runDue()).toBe(0);
    auditing.clock.advance(1);
    expect(await auditing.runDue()).toBe(1);
    expect(await auditing.runDue()).toBe(0);
  }
  const days = (await auditing.audits.find(1))?.report.appeal?.days_since_update;
  expect(days).toBe(20);
});

test('the first audit of a day republishes its scores, so that consumers can rebuild a lost copy', async () => {
  await auditing.track(trackedListing(1, { updated_at: null }));
  await auditing.measureAll(['photo', 'editor']);
  await auditing.runDue();
  await auditing.auditor.audit(1, 'request-1');
  expect(await published()).toHaveLength(1);
  await runOn('2026-03-11');
  expect(await published()).toHaveLength(2);
});

test('a changed listing is audited with its new words', async () => {
  await track();
  await retitle('Photo Camera');
  expect(await auditing.runDue()).toBe(1);
  expect(await wordNames()).toEqual(['photo', 'camera']);
  await auditing.measure('editor', {});
  expect(await auditing.runDue()).toBe(0);
});

test('an older reading changes nothing, whichever event carries it', async () => {
  const newer = trackedListing(1, { title: 'New' }, { revision: 3, read_at: '2026-03-10T08:00:00Z' });
  await auditing.track(newer);
  await retitle('Old');
  await auditing.track(trackedListing(1, { title: 'Old' }, { revision: 1 }), 'ben');
  await auditing.track(newer);
  expect(await auditing.runDue()).toBe(0);
  expect(await wordNames()).toEqual(['new']);
  // A later reading of the same revision: fields that do not start a revision may differ.
  await auditing.change(
    trackedListing(1, { title: 'New', screenshots: [] }, { revision: 3, read_at: '2026-03-10T08:30:00Z' }),
  );
  await auditing.runDue();
  expect((await auditing.audits.find(1))?.report.appeal?.screenshots).toBe(0);
});

test('a copy whose clock is behind makes the newer audit: its scores replace the others, here and for consumers', async () => {
  const behind = auditing.startCopy(createManualClock('2026-03-10T08:00:00Z'));
  await track();
  await auditing.measureAll(['photo', 'editor'], { traffic: 40 });
  await auditing.runDue();
  await auditing.measure('editor', { traffic: 90, difficulty: 95 });
  const audit = await behind.auditor.audit(1, 'request-1');
  expect(await auditing.audits.find(1)).toEqual(audit);
  const [first, second, ...others] = await published();
  expect(others).toEqual([]);
  expect(second?.targeting).toBe(audit.report.axes.find(({ key }) => key === 'targeting')?.score);
  expect(second?.targeting).not.toBe(first?.targeting);
  expect(second?.computed_at?.getTime()).toBeGreaterThan(first?.computed_at?.getTime() ?? 0);
});

describe('accounts that track a listing', () => {
  test('a listing that one of two accounts untracks is still audited', async () => {
    await auditing.track(trackedListing(1), 'ann');
    await auditing.track(trackedListing(1), 'ben');
    auditing.clock.advance(1000);
    await auditing.untrack(1, 'ann');
    auditing.clock.moveTo('2026-03-20T00:00:00Z');
    expect(await auditing.runDue()).toBe(1);
  });

  test('an older event that arrives late or again adds its day to the history, and the first day stays the earliest', async () => {
    auditing.clock.moveTo('2026-03-12T09:00:00Z');
    const older = trackedListing(1, { ratings: 100 }, { read_at: '2026-03-10T08:00:00Z' });
    const newer = trackedListing(1, { ratings: 200 }, { revision: 2, read_at: '2026-03-12T08:00:00Z' });
    for (const [listing, account] of [
      [newer, 'ben'],
      [older, 'ann'],
      [newer, 'ben'],
    ] as const)
      await auditing.track(listing, account);
    expect(await auditing.rows('listings')).toMatchObject([
      { revision: 2, followed_since_day: '2026-03-10' },
    ]);
    expect(await auditing.history(1, '2026-03-01', '2026-03-31')).toEqual([
      ['2026-03-10', null, 100],
      ['2026-03-11', null, null],
      ['2026-03-12', null, 200],
    ]);
  });

  test('a listing that no account tracks keeps its audit and is not audited again until it is tracked', async () => {
    await track();
    auditing.clock.advance(1000);
    await auditing.untrack(1);
    auditing.clock.moveTo('2026-03-20T00:00:00Z');
    expect(await auditing.runDue()).toBe(0);
    await auditing.measure('photo', {});
    expect(await auditing.runDue()).toBe(0);
    expect((await wordStatus())[0]).toBe('photo pending');
    await track();
    expect((await wordStatus())[0]).toBe('photo earning');
    auditing.clock.moveTo('2026-03-30T00:00:00Z');
    expect(await auditing.runDue()).toBe(1);
  });

  test('duplicate and unordered events end in the state of the newest one', async () => {
    const at = (minute: number) => new Date(`2026-03-10T08:0${minute}:00Z`);
    const events = {
      tracked: () => auditing.track(trackedListing(1), 'ann', at(1)),
      untracked: () => auditing.untrack(1, 'ann', at(2)),
      trackedAgain: () => auditing.track(trackedListing(1), 'ann', at(3)),
    };
    for (const name of ['untracked', 'tracked', 'untracked', 'tracked'] as const) await events[name]();
    expect(await auditing.watchers.isWatched(1)).toBe(false);
    expect(await auditing.audits.find(1)).toBeNull();
    for (const name of ['trackedAgain', 'tracked', 'untracked', 'trackedAgain'] as const)
      await events[name]();
    expect(await auditing.watchers.isWatched(1)).toBe(true);
    expect(await auditing.audits.find(1)).not.toBeNull();
  });

  test('a listing that is only a competitor is dormant: it is never due or audited, and nothing is read for it', async () => {
    await auditing.change(trackedListing(1));
    await auditing.readOn(1, '2026-03-11');
    auditing.clock.moveTo('2026-03-11T12:00:00Z');
    await retitle('Camera');
    await auditing.measure('camera', {});
    expect(await auditing.runDue()).toBe(0);
    expect(await auditing.auditQueue.countDue({}, new Date('2030-01-01'), 10)).toBe(0);
    expect(await auditing.rows('listings')).toMatchObject([{ revision: 2, followed_since_day: null }]);
    for (const collection of ['audits', 'listing_terms', 'baskets', 'watchers'])
      expect([collection, await auditing.rows(collection)]).toEqual([collection, []]);
    expect((await auditing.rows('terms')).filter((term) => term.due_at != null)).toEqual([]);
    expect(await auditing.history(1, '2026-03-01', '2026-03-31')).toEqual([]);
    expect(await auditing.compare([{ id: 1, competitor_app_ids: ['rival'] }])).toMatchObject([
      { score: null, competitors: [{ score: null }] },
    ]);
  });

  test('readings of a competitor from another kind of store are refused, and nothing of them is stored', async () => {
    await track();
    const days = await auditing.rows('visibility_days');
    await expect(auditing.change({ ...trackedListing(2), source: 'app-store' })).rejects.toThrow(
      'This database holds readings of the sample catalog',
    );
    const read = { id: 2, read_at: auditing.clock.at, source: 'app-store', ratings: 5 };
    await expect(auditing.deliver('tracking.listing-read.v1', read)).rejects.toThrow('sample catalog');
    expect(await auditing.rows('listings')).toHaveLength(1);
    expect(await auditing.rows('visibility_days')).toEqual(days);
  });

  test('a competitor that an account starts to track is audited immediately, with the listing of that event', async () => {
    await retitle('Old');
    await auditing.track(trackedListing(1, { title: 'New' }, { revision: 3 }));
    expect(await wordNames()).toEqual(['new']);
    await retitle('Newer', 4);
    expect(await auditing.runDue()).toBe(1);
    expect(await wordNames()).toEqual(['newer']);
    await auditing.readOn(1, '2026-03-11', 1300);
    expect(await auditing.rows('visibility_days')).toContainEqual(
      expect.objectContaining({ listing_id: 1, day: '2026-03-11', ratings: 1300 }),
    );
  });

  test('a listing that is untracked but still a competitor is not audited, however often it changes', async () => {
    await track();
    auditing.clock.advance(1000);
    await auditing.untrack(1);
    const terms = await auditing.rows('terms');
    for (const [index, day] of ['2026-03-20', '2026-03-21', '2026-03-22'].entries()) {
      auditing.clock.moveTo(`${day}T12:00:00Z`);
      const changed = trackedListing(1, { title: `Camera${index}` }, { revision: index + 2 });
      await auditing.change(changed);
      await auditing.change(changed);
      expect(await auditing.runDue()).toBe(0);
    }
    expect(await auditing.rows('terms')).toEqual(terms);
    // A new account gets the newest reading.
    await auditing.track(trackedListing(1, { title: 'Photo Editor' }, { revision: 1 }), 'ben');
    expect(await wordNames()).toEqual(['camera2']);
  });

  test('a listing that is untracked right after it was tracked is not audited the next day', async () => {
    await track();
    auditing.clock.advance(1000);
    await auditing.untrack(1);
    expect(await runOn('2026-03-11')).toBe(0);
    expect(await auditing.auditQueue.countDue({}, new Date('2030-01-01'), 10)).toBe(0);
  });

  test('a listing that is tracked again while a worker makes it dormant is still audited', async () => {
    await track();
    auditing.clock.advance(1000);
    await auditing.untrack(1);
    auditing.clock.moveTo(slotOf(1, '2026-03-11'));
    const { isWatched } = auditing.watchers;
    jest.spyOn(auditing.watchers, 'isWatched').mockImplementationOnce(async (id) => {
      const was = await isWatched(id);
      await auditing.track(trackedListing(1), 'ben');
      return was;
    });
    expect(await auditing.runDue()).toBe(1);
    expect(await runOn('2026-03-12')).toBe(1);
  });

  test('a listing that one account tracks and another has as a competitor is audited as before', async () => {
    await auditing.track(trackedListing(1), 'ben');
    await retitle('Camera');
    expect(await auditing.runDue()).toBe(1);
  });

  test('a listing that was requested before its event arrives is kept up to date', async () => {
    await auditing.health(trackedListing(1));
    await retitle('Camera');
    expect(await auditing.runDue()).toBe(1);
    expect(await wordNames()).toEqual(['camera']);
  });
});

test('readings of the sample and of a live store are never mixed', async () => {
  await track();
  const live = { ...trackedListing(2), source: 'app-store' };
  await expect(auditing.track(live)).rejects.toThrow('This database holds readings of the sample catalog');
  expect(await auditing.rows('listings')).toHaveLength(1);
});

describe('several copies', () => {
  test('claim each due listing once', async () => {
    for (let id = 1; id <= 12; id++) await auditing.track(trackedListing(id));
    auditing.clock.moveTo('2026-03-12T00:00:00Z');
    const copies = [auditing, auditing.startCopy(), auditing.startCopy()];
    const claimed = (await Promise.all(copies.map(({ auditJobs }) => auditJobs.claim(10, false)))).flat();
    const ids = claimed.map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await auditing.auditJobs.claim(20, false);
    expect([...ids, ...rest.map(({ _id }) => _id)].sort((one, other) => one - other)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  test('that audit one listing at the same time leave one audit, of the newest reading', async () => {
    const copies = [auditing, auditing.startCopy(), auditing.startCopy()];
    await Promise.all(
      copies.flatMap((copy, at) => [
        copy.track(trackedListing(1, { title: `Title${at}` }, { revision: at + 1 }), `account${at}`),
        copy.track(trackedListing(1, { title: 'Title0' }, { revision: 1 }), 'ann'),
      ]),
    );
    await auditing.runDue();
    expect(await auditing.rows('audits')).toHaveLength(1);
    expect(await auditing.audits.find(1)).toMatchObject({ revision: 3 });
    expect(await wordNames()).toEqual(['title2']);
  });

  test('never replace an audit with one that started earlier', async () => {
    await track();
    const slow = auditing.startCopy();
    whileAuditing(slow, async () => {
      auditing.clock.advance(1000);
      await auditing.measure('photo', {});
      await auditing.runDue();
    });
    const newest = await slow.auditor.audit(1, 'request-1');
    expect((await wordStatus())[0]).toBe('photo earning');
    expect(newest.computed_at).toEqual(auditing.clock.at);
  });

  test('never replace the audit of a newer reading, even one of the same millisecond', async () => {
    await track();
    const slow = auditing.startCopy();
    const { find } = slow.audits;
    jest.spyOn(slow.audits, 'find').mockImplementationOnce(async (id) => {
      const previous = await find(id);
      await retitle('Camera');
      await auditing.auditor.audit(1, 'request-2');
      return previous;
    });
    await slow.auditor.audit(1, 'request-1');
    expect(await auditing.audits.find(1)).toMatchObject({ revision: 2 });
  });

  describe('that audit one listing, the first of them slowly', () => {
    /** A listing whose terms are all measured and whose daily audit is done, and two copies to audit it. */
    let slow: ReturnType<Auditing['startCopy']>;
    let fast: typeof slow;
    beforeEach(async () => {
      await track();
      await auditing.measureAll(['photo', 'editor', 'photo editor']);
      await auditing.runDue();
      slow = auditing.startCopy();
      fast = auditing.startCopy();
    });

    test('lose no word of a newer listing when the slow audit finishes last', async () => {
      whileAuditing(slow, async () => {
        auditing.clock.advance(5);
        await retitle('Camera', 2, fast);
        await fast.auditor.audit(1, 'request-2');
      });
      await slow.auditor.audit(1, 'request-1');
      expect(await wordStatus()).toEqual(['camera pending']);
      auditing.clock.advance(1000);
      await auditing.measure('camera', {});
      expect(await auditing.runDue()).toBe(1);
      expect(await wordStatus()).toEqual(['camera earning']);
    });

    test('never replace the terms of a listing by those of the audit that started earlier', async () => {
      const start = { now: auditing.clock.at, maxAuditMs: 60_000, claim: null };
      const earlier = await slow.listings.startAudit(1, start);
      if (!earlier) throw new Error('the listing is not known');
      expect(await slow.listings.forgetTerms(earlier)).toBe(true);
      const later = await fast.listings.startAudit(1, start);
      if (!later) throw new Error('the listing is not known');
      expect(later.terms_hash).toBeNull();
      expect(await slow.listings.forgetTerms(earlier)).toBe(false);
      await fast.listingTermStore.save(later, ['photo']);
      await slow.listingTermStore.save(earlier, ['editor']);
      expect(await auditing.rows('listing_terms')).toMatchObject([{ terms: ['photo'] }]);
    });

    test('leave a listing dormant that became so meanwhile', async () => {
      whileAuditing(slow, async () => {
        await fast.auditor.audit(1, 'request-2');
        await auditing.connection.collection('listings').updateMany({}, { $unset: { due_at: 1 } });
      });
      await slow.auditor.audit(1, 'request-1');
      expect((await auditing.listings.findKnown(1))?.due_at).toBeUndefined();
    });

    test('do not count an audit of the older listing as the daily audit of the newer one', async () => {
      auditing.clock.moveTo(slotOf(1, '2026-03-11'));
      whileAuditing(slow, async () => {
        auditing.clock.advance(5);
        await retitle('Camera', 2, fast);
      });
      await slow.auditor.audit(1, 'request-1');
      expect(await auditing.rows('listings')).toMatchObject([{ last_daily_audit_day: '2026-03-10' }]);
      expect(await auditing.runDue()).toBe(1);
      expect(await auditing.rows('listings')).toMatchObject([{ last_daily_audit_day: '2026-03-11' }]);
    });

    test('lose no keyword that is tracked meanwhile when the slow audit saves its terms last and finishes first', async () => {
      await auditing.trackKeyword(1, 'collage');
      const slowTerms = slow.connection.model('ListingTerms');
      const saveSlowly = slowTerms.updateOne.bind(slowTerms);
      let endSlow = () => {};
      const slowEnd = new Promise<void>((resolve) => {
        endSlow = resolve;
      });
      let fastAudit: Promise<unknown> = Promise.resolve();
      jest.spyOn(slowTerms, 'updateOne').mockImplementationOnce((async (
        ...args: Parameters<typeof saveSlowly>
      ) => {
        await fast.trackKeyword(1, 'poster');
        await new Promise<void>((fastHasSaved) => {
          const { findAuditTerms } = fast.terms;
          jest.spyOn(fast.terms, 'findAuditTerms').mockImplementationOnce(async (...args) => {
            fastHasSaved();
            await slowEnd;
            return findAuditTerms(...args);
          });
          fastAudit = fast.auditor.audit(1, 'request-2');
        });
        return saveSlowly(...args);
      }) as never);
      slow.wakeWorker.mockClear();
      await slow.auditor.audit(1, 'request-1');
      expect(slow.wakeWorker).toHaveBeenCalled();
      endSlow();
      await fastAudit;
      expect(await auditing.rows('listing_terms')).toMatchObject([
        { terms: expect.arrayContaining(['collage', 'poster']) },
      ]);
      // The slow audit may have replaced the basket of the other one.
      const dueAt = new Date(auditing.clock.at.getTime() + overlapRetryMs);
      const [listing] = await auditing.rows('listings');
      expect(listing).toMatchObject({ due_at: dueAt });
      expect(listing).not.toHaveProperty('claimed_by');
      expect(await auditing.runDue()).toBe(0);
      auditing.clock.advance(overlapRetryMs);
      expect(await auditing.runDue()).toBe(1);
      await auditing.measure('poster', {});
      auditing.clock.advance(60_000);
      expect(await auditing.runDue()).toBe(1);
      expect(await auditing.runDue()).toBe(0);
    });
  });
});

describe('a claimed audit', () => {
  async function claimOne() {
    const [job] = await auditing.auditJobs.claim(1, false);
    if (!job) throw new Error('nothing is due');
    return job;
  }

  beforeEach(async () => {
    await track();
    await auditing.measure('photo', {});
  });

  test('that fails while no audit can run is retried after a minute, whatever its failures', async () => {
    await auditing.connection.collection('listings').updateMany({}, { $set: { failures: 5 } });
    await auditing.auditJobs.fail(await claimOne(), false);
    const dueAt = new Date(auditing.clock.at.getTime() + 60_000);
    expect(await auditing.rows('listings')).toMatchObject([{ failures: 5, due_at: dueAt }]);
  });

  test('that fails after another copy has claimed it changes nothing for that copy', async () => {
    const late = await claimOne();
    auditing.clock.advance(60_000);
    const current = await claimOne();
    await auditing.auditJobs.fail(late, true);
    expect(await auditing.auditJobs.claim(1, false)).toEqual([]);
    expect(await auditing.auditJobs.run(current, call)).toBe('done');
    expect(await auditing.rows('listings')).toMatchObject([{ failures: 0 }]);
  });

  test('that fails stays due if a new reading arrived meanwhile', async () => {
    const job = await claimOne();
    jest.spyOn(auditing.terms, 'findAuditTerms').mockImplementationOnce(async () => {
      await retitle('Camera');
      throw new Error('the database is down');
    });
    await expect(auditing.auditJobs.run(job, call)).rejects.toThrow('the database is down');
    await auditing.auditJobs.fail(job, true);
    expect(await auditing.runDue()).toBe(1);
    expect(await wordStatus()).toEqual(['camera pending']);
  });

  test('that fails is retried later, although its audit had started', async () => {
    const job = await claimOne();
    jest.spyOn(auditing.terms, 'findAuditTerms').mockRejectedValueOnce(new Error('the database is down'));
    await expect(auditing.auditJobs.run(job, call)).rejects.toThrow('the database is down');
    await auditing.auditJobs.fail(job, true);
    const dueAt = new Date(auditing.clock.at.getTime() + 60_000);
    const [listing] = await auditing.rows('listings');
    expect(listing).toMatchObject({ failures: 1, due_at: dueAt });
    expect(listing).not.toHaveProperty('claimed_by');
  });

  test('is skipped when another copy claims it right before its audit starts', async () => {
    const late = await claimOne();
    auditing.clock.advance(60_000);
    const other: Awaited<ReturnType<typeof claimOne>>[] = [];
    const { isWatched } = auditing.watchers;
    jest.spyOn(auditing.watchers, 'isWatched').mockImplementationOnce(async (id) => {
      other.push(await claimOne());
      return isWatched(id);
    });
    expect(await auditing.auditJobs.run(late, call)).toBe('skipped');
    for (const job of other) expect(await auditing.auditJobs.run(job, call)).toBe('done');
    expect(other).toHaveLength(1);
  });

  test('is skipped when the listing is audited for a user first', async () => {
    const job = await claimOne();
    await auditing.auditor.audit(1, 'request-1');
    expect(await auditing.auditJobs.run(job, call)).toBe('skipped');
    expect(await auditing.runDue()).toBe(0);
  });
});

describe('a crash', () => {
  const models = ['Audit', 'Basket', 'VisibilityDay', 'ListingTerms', 'Listing'] as const;
  const methods = ['create', 'updateOne', 'findOneAndUpdate'] as const;

  /** Makes every write to one collection fail. Returns a function that restores them. */
  function breakWrites(model: (typeof models)[number]) {
    const die = () => {
      throw new Error('the process was killed');
    };
    const broken = [
      ...methods.map((method) =>
        jest.spyOn(auditing.connection.model(model), method).mockImplementation(die as never),
      ),
      jest.spyOn(auditing.connection.model(model).collection, 'bulkWrite').mockImplementation(die),
    ];
    return () => {
      for (const { mockRestore } of broken) mockRestore();
    };
  }

  test.each(models)('between the writes of an audit (%s) is repaired by the next audit', async (model) => {
    const title = textOfFive('snap');
    await auditing.track(trackedListing(1, { title }));
    await auditing.measureAndDie(fiveOf('snap'), {}, [appIdOf(1)]);
    await auditing.change(trackedListing(1, { title, subtitle: 'Maker', ratings: 1300 }, { revision: 2 }));
    const restore = breakWrites(model);
    const [job] = await auditing.auditJobs.claim(1, false).catch(() => []);
    if (job) await expect(auditing.auditJobs.run(job, call)).rejects.toThrow('killed');
    restore();
    auditing.clock.advance(60_000);
    expect(await auditing.runDue()).toBe(1);
    expect((await wordStatus())[0]).toBe('snap earning');
    expect(await auditing.history(1, '2026-03-10', '2026-03-10')).toEqual([['2026-03-10', 100, 1300]]);
    expect(await auditing.runDue()).toBe(0);
  });

  test('before an audit requests its words is repaired by the next audit', async () => {
    jest.spyOn(auditing.terms, 'requestMeasuring').mockRejectedValueOnce(new Error('the process was killed'));
    await expect(auditing.track(trackedListing(1))).rejects.toThrow('killed');
    expect(await auditing.rows('terms')).toEqual([]);
    await track();
    auditing.clock.advance(60_000);
    await auditing.runDue();
    expect(await auditing.rows('terms')).toHaveLength(3);
  });

  test('between a measurement and its notification is repaired by the next daily audit', async () => {
    await track();
    await auditing.measureAndDie('photo', {}, []);
    await runOn('2026-03-11');
    expect((await wordStatus())[0]).toBe('photo irrelevant');
  });

  test('a listing whose audit failed is due again a minute later', async () => {
    await track();
    await auditing.measure('photo', {});
    const [job] = await auditing.auditJobs.claim(1, false);
    if (!job) throw new Error('nothing is due');
    await auditing.auditJobs.fail(job, true);
    expect(await auditing.runDue()).toBe(0);
    auditing.clock.advance(60_000);
    const [again] = await auditing.auditJobs.claim(1, false);
    expect(again).toMatchObject({ _id: 1, failures: 1 });
    if (again) await auditing.auditJobs.requeue([again]);
    expect(await auditing.runDue()).toBe(1);
    expect(await auditing.rows('listings')).toMatchObject([{ failures: 0 }]);
  });
});
