import { setImmediate as tick } from 'node:timers/promises';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { recordCommands } from '../../../testing/record-commands.ts';
import { until } from '../../../testing/until.ts';
import { fieldOf } from '../src/stores/keyword-field.ts';
import {
  type Auditing,
  appIdOf,
  createAuditingHarness,
  fiveOf,
  textOfFive,
  trackedListing,
  us,
} from './start-auditing.ts';

const { startAuditing, clear } = createAuditingHarness();

const snaps = fiveOf('snap');
/** A page on which the app is second. */
const pageOfApp = ['other', appIdOf(1)];

let auditing: Auditing;

/** An app of whose name every word is measured, on its first day. */
beforeEach(() => startWithApp(() => startAuditing()));

async function startWithApp(start: typeof startAuditing) {
  auditing = await start();
  await auditing.track(trackedListing(1, { title: textOfFive('snap') }));
  await auditing.measure(snaps, { traffic: 50 }, pageOfApp);
  await auditing.runDue();
}

async function fixBasket() {
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  expect(await basket()).toEqual({ isFixed: true, keywords: snaps });
}

/** A keyword that another account tracks already, with complete scores of today. */
async function know(keyword: string, score: { traffic: number; is_partial?: boolean } = { traffic: 10 }) {
  await auditing.measure(keyword, score, pageOfApp);
  const at = auditing.clock.at;
  const origin = { read_at: at, source: 'sample' };
  const page = { ...origin, day: at.toISOString().slice(0, 10), size: 2, apps: [], details_read_at: at };
  const suggestion = { ...origin, match: { kind: 'absent', size: 0 }, probes: [] };
  const { matchedCount } = await auditing.connection
    .collection('terms')
    .updateOne(
      { keyword },
      { $set: { is_tracked: true, 'reading.page': page, 'reading.suggestion': suggestion } },
    );
  expect(matchedCount).toBe(1);
}

async function basket() {
  const newest = await auditing.baskets.findNewest(1);
  return newest && { isFixed: newest.is_fixed, keywords: newest.terms.map(({ keyword }) => keyword) };
}

async function rankOf(keyword: string): Promise<unknown> {
  const days = await auditing.rows('visibility_days');
  return days.find(({ day }) => day === '2026-03-10')?.ranks?.[fieldOf(keyword)];
}

/** Only what an audit writes. */
const auditTime = async () => (await auditing.audits.find(1))?.computed_at;

describe('while the basket is not fixed', () => {
  test('a keyword that is measured joins it at once, with its rank, and no audit follows', async () => {
    await know('collage');
    const auditedAt = await auditTime();
    auditing.clock.advance(1000);
    await auditing.trackKeyword(1, 'collage');
    expect(await basket()).toEqual({ isFixed: false, keywords: ['collage', ...snaps] });
    expect(await rankOf('collage')).toBe(2);
    expect([await auditing.runDue(), await auditTime()]).toEqual([0, auditedAt]);
    // The next audit stores it among the terms that the listing depends on.
    await auditing.auditor.audit(1, 'request-1');
    expect(await basket()).toEqual({ isFixed: false, keywords: ['collage', ...snaps] });
    const [stored] = await auditing.rows('listing_terms');
    expect(stored?.terms).toContain('collage');
  });

  test('it leaves when it is not tracked any more, and no audit follows', async () => {
    await know('collage');
    await auditing.trackKeyword(1, 'collage');
    auditing.clock.advance(1000);
    await auditing.untrackKeyword(1, 'collage');
    expect(await basket()).toEqual({ isFixed: false, keywords: snaps });
    expect(await auditing.runDue()).toBe(0);
  });

  test('it stays while another account tracks it', async () => {
    await know('collage');
    await auditing.trackKeyword(1, 'collage');
    await auditing.trackKeyword(1, 'collage', { account_id: 'ben' });
    auditing.clock.advance(1000);
    await auditing.untrackKeyword(1, 'collage');
    expect(await basket()).toEqual({ isFixed: false, keywords: ['collage', ...snaps] });
    expect(await auditing.runDue()).toBe(0);
  });

  test('an audit follows for a word of the name that is not tracked any more: it is read every day', async () => {
    await know('snap', { traffic: 50 });
    await auditing.runDue();
    await auditing.trackKeyword(1, 'snap');
    expect(await auditing.runDue()).toBe(0);
    auditing.clock.advance(1000);
    await auditing.untrackKeyword(1, 'snap');
    expect(await auditing.runDue()).toBe(1);
    expect(await basket()).toEqual({ isFixed: false, keywords: snaps });
  });

  test('an audit follows for a keyword with partial scores, and when it has too few terms', async () => {
    await know('collage', { traffic: 10, is_partial: true });
    await auditing.trackKeyword(1, 'collage');
    expect(await auditing.runDue()).toBe(1);
    await auditing.track(trackedListing(2, { title: 'Mosaic' }));
    await auditing.measure('mosaic', { traffic: 20 }, pageOfApp);
    await auditing.runDue();
    await know('grid');
    await auditing.trackKeyword(2, 'grid');
    expect(await auditing.runDue()).toBe(1);
  });

  test('a keyword that is tracked while an audit runs joins it with the next one', async () => {
    await know('collage');
    const { findAuditTerms } = auditing.terms;
    jest.spyOn(auditing.terms, 'findAuditTerms').mockImplementationOnce(async (...args) => {
      await auditing.trackKeyword(1, 'collage');
      return findAuditTerms(...args);
    });
    await auditing.auditor.audit(1, 'request-1');
    expect(await auditing.runDue()).toBe(1);
    expect(await basket()).toEqual({ isFixed: false, keywords: ['collage', ...snaps] });
  });

  test('an audit follows when another copy changes it meanwhile', async () => {
    await know('collage');
    const { findScores } = auditing.terms;
    jest.spyOn(auditing.terms, 'findScores').mockImplementationOnce(async (...args) => {
      await auditing.connection.collection('baskets').updateOne({}, { $inc: { revision: 1 } });
      return findScores(...args);
    });
    await auditing.trackKeyword(1, 'collage');
    expect(await basket()).toEqual({ isFixed: false, keywords: snaps });
    expect(await auditing.runDue()).toBe(1);
    expect(await basket()).toEqual({ isFixed: false, keywords: ['collage', ...snaps] });
  });

  test('a keyword that is not tracked any more, while it joins, leaves', async () => {
    await know('collage');
    const other = auditing.startCopy();
    const { findScores } = auditing.terms;
    jest.spyOn(auditing.terms, 'findScores').mockImplementationOnce(async (...args) => {
      auditing.clock.advance(1000);
      await other.untrackKeyword(1, 'collage');
      return findScores(...args);
    });
    await auditing.trackKeyword(1, 'collage');
    await auditing.runDue();
    expect(await basket()).toEqual({ isFixed: false, keywords: snaps });
  });

  test('an event that comes again after a crash saves the rank that is missing', async () => {
    await know('collage');
    jest.spyOn(auditing.visibilityDays, 'saveRanks').mockRejectedValueOnce(new Error('the process died'));
    await expect(auditing.trackKeyword(1, 'collage')).rejects.toThrow('the process died');
    expect(await rankOf('collage')).toBeUndefined();
    await auditing.trackKeyword(1, 'collage');
    expect(await rankOf('collage')).toBe(2);
    expect(await basket()).toEqual({ isFixed: false, keywords: ['collage', ...snaps] });
  });
});

describe('while the basket is not fixed and has more terms than a description fills', () => {
  const tracked = [...fiveOf('plum'), ...fiveOf('pear')];

  beforeEach(async () => {
    for (const keyword of tracked) await know(keyword);
    await auditing.trackKeyword(1, tracked);
    expect(await basket()).toEqual({ isFixed: false, keywords: [...tracked, ...snaps] });
    auditing.clock.advance(1000);
  });

  test('a keyword that it has, tracked by another account too, costs a write and no look at scores and ranks', async () => {
    const commands = recordCommands(auditing.connection);
    await auditing.trackKeyword(1, 'pear', { account_id: 'ben' });
    expect(commands.filter((command) => command !== 'update terms')).toEqual([
      ...['find terms', 'update tracked_terms', 'find listings', 'find baskets'],
      'update baskets',
    ]);
    expect(await auditing.runDue()).toBe(0);
    expect(await basket()).toEqual({ isFixed: false, keywords: [...tracked, ...snaps] });
  });

  test('an audit follows when another copy changes the basket meanwhile', async () => {
    const { findNewest } = auditing.baskets;
    jest.spyOn(auditing.baskets, 'findNewest').mockImplementationOnce((async (id: number) => {
      const found = await findNewest(id);
      await auditing.connection.collection('baskets').updateOne({}, { $inc: { revision: 1 } });
      return found;
    }) as never);
    await auditing.trackKeyword(1, 'pear', { account_id: 'ben' });
    expect(await auditing.runDue()).toBe(1);
  });

  test('an event that comes again after a crash saves the rank that is missing', async () => {
    await know('collage');
    jest.spyOn(auditing.visibilityDays, 'saveRanks').mockRejectedValueOnce(new Error('the process died'));
    await expect(auditing.trackKeyword(1, 'collage')).rejects.toThrow('the process died');
    expect((await basket())?.keywords).toContain('collage');
    expect(await rankOf('collage')).toBeUndefined();
    await auditing.trackKeyword(1, 'collage');
    expect(await rankOf('collage')).toBe(2);
  });

  test('a keyword that leaves costs no look at the scores of the others, also of one that could not be drawn', async () => {
    await know('silent', { traffic: 10, is_partial: true });
    await auditing.trackKeyword(1, 'silent');
    await auditing.runDue();
    auditing.clock.advance(1000);
    const commands = recordCommands(auditing.connection);
    await auditing.untrackKeyword(1, 'pear');
    expect(commands).toEqual([
      ...['findAndModify tracked_terms', 'find listings', 'find baskets'],
      ...['find tracked_terms', 'update baskets'],
    ]);
    expect(await auditing.runDue()).toBe(0);
    const left = tracked.filter((keyword) => keyword !== 'pear');
    expect(await basket()).toEqual({ isFixed: false, keywords: [...left, ...snaps] });
  });
});

describe('in the only copy', () => {
  const tracked = [...fiveOf('plum'), ...fiveOf('pear')];

  beforeEach(async () => {
    await clear();
    await startWithApp(() => startAuditing({ isOnlyCopy: true }));
    for (const keyword of tracked) await know(keyword);
    await auditing.trackKeyword(1, tracked);
    auditing.clock.advance(1000);
  });

  test('a keyword that the basket has, and one that another account still tracks, cost no write of it', async () => {
    const commands = recordCommands(auditing.connection);
    await auditing.trackKeyword(1, 'pear', { account_id: 'ben' });
    expect(commands.filter((command) => command !== 'update terms')).toEqual([
      ...['find terms', 'update tracked_terms', 'find listings', 'find baskets'],
    ]);
    commands.length = 0;
    auditing.clock.advance(1000);
    await auditing.untrackKeyword(1, 'pear', { account_id: 'ben' });
    expect(commands.filter((command) => command.endsWith(' baskets'))).toEqual(['find baskets']);
    expect(await auditing.runDue()).toBe(0);
    expect(await basket()).toEqual({ isFixed: false, keywords: [...tracked, ...snaps] });
  });

  test('a keyword that one account tracks, while it leaves for another one, stays: one event waits for the other', async () => {
    const { listKeywords } = auditing.trackedTerms;
    const isSaved = async () =>
      (await auditing.rows('tracked_terms')).some(({ _id }) => String(_id).startsWith('ben:'));
    const looks = jest.spyOn(auditing.listings, 'findToDraw');
    let joining: Promise<void> | undefined;
    jest.spyOn(auditing.trackedTerms, 'listKeywords').mockImplementationOnce(async (...args) => {
      const read = await listKeywords(...args);
      joining = auditing.trackKeyword(1, 'pear', { account_id: 'ben' });
      await until(isSaved);
      await tick();
      expect(looks).toHaveBeenCalledTimes(1);
      return read;
    });
    await auditing.untrackKeyword(1, 'pear');
    await joining;
    await auditing.runDue();
    const { keywords = [] } = (await basket()) ?? {};
    expect(keywords.toSorted()).toEqual([...tracked, ...snaps].toSorted());
  });
});

describe('with more keywords than a basket has room for', () => {
  const words = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word}${index}`);

  /** The first one is tracked longest. */
  const trackAll = (keywords: readonly string[], accountId = 'ann') =>
    auditing.trackedTerms.save(
      keywords.map((keyword, index) => ({
        key: { account_id: accountId, listing_id: 1, keyword_id: index },
        active: true,
        at: new Date(auditing.clock.at.getTime() + index),
        term: { ...us, keyword },
      })),
    );

  /** The first keywords of ann, in one batch of events. */
  const untrack = (count: number) =>
    auditing.untrackAll(
      Array.from({ length: count }, (_, index) => ({
        account_id: 'ann',
        keyword_id: index,
        app_id: 1,
        at: auditing.clock.at,
      })),
    );

  test('when one leaves a full basket, an audit adds what had no room', async () => {
    const many = words('plum', 46);
    await auditing.measureAll(many, { traffic: 10 });
    await trackAll(many);
    await auditing.auditor.audit(1, 'request-1');
    expect(await basket()).toEqual({ isFixed: false, keywords: [...many, ...snaps.slice(0, 4)] });
    auditing.clock.advance(1000);
    await untrack(1);
    expect(await auditing.runDue()).toBe(1);
    expect(await basket()).toEqual({ isFixed: false, keywords: [...many.slice(1), ...snaps] });
  });

  test('when one leaves, an audit adds one that was not among the first, also where the basket has room', async () => {
    const [many, silent] = [words('plum', 45), words('silent', 6)];
    await auditing.measureAll(many, { traffic: 10 });
    await auditing.measureAll(silent, { traffic: 10, is_partial: true });
    await trackAll([...many.slice(0, 44), ...silent, ...many.slice(44)]);
    await auditing.auditor.audit(1, 'request-1');
    expect(await basket()).toEqual({ isFixed: false, keywords: [...many.slice(0, 44), ...snaps] });
    auditing.clock.advance(1000);
    await untrack(1);
    expect(await auditing.runDue()).toBe(1);
    expect(await basket()).toEqual({ isFixed: false, keywords: [...many.slice(1), ...snaps] });
  });

  test('when those of an account leave together, an audit adds those of another one that were not among the first', async () => {
    const [many, silent, later] = [words('plum', 40), words('silent', 10), words('pear', 3)];
    await auditing.measureAll([...many, ...later], { traffic: 10 });
    await auditing.measureAll(silent, { traffic: 10, is_partial: true });
    await trackAll([...many, ...silent]);
    auditing.clock.advance(1000);
    await trackAll(later, 'ben');
    await auditing.auditor.audit(1, 'request-1');
    expect(await basket()).toEqual({ isFixed: false, keywords: [...many, ...snaps] });
    auditing.clock.advance(1000);
    await untrack(50);
    expect(await auditing.runDue()).toBe(1);
    expect(await basket()).toEqual({ isFixed: false, keywords: [...later, ...snaps] });
  });
});

describe('once the basket is fixed', () => {
  test('the daily audit fixes it also when it is changed meanwhile', async () => {
    const { save } = auditing.baskets;
    jest.spyOn(auditing.baskets, 'save').mockImplementationOnce(async (...args) => {
      await auditing.connection.collection('baskets').updateOne({}, { $inc: { revision: 1 } });
      return save(...args);
    });
    await fixBasket();
    expect(auditing.baskets.save).toHaveBeenCalledTimes(2);
  });

  test('a keyword that is measured, or leaves, costs two reads more than its row', async () => {
    await fixBasket();
    await know('collage');
    const commands = recordCommands(auditing.connection);
    await auditing.trackKeyword(1, 'collage');
    const read = ['find listings', 'find baskets'];
    expect(commands.filter((command) => !command.startsWith('update terms'))).toEqual([
      ...['find terms', 'update tracked_terms'],
      ...read,
    ]);
    auditing.clock.advance(1000);
    commands.length = 0;
    await auditing.untrackKeyword(1, 'collage');
    expect(commands).toEqual(['findAndModify tracked_terms', ...read]);
    expect(await auditing.runDue()).toBe(0);
    expect(await basket()).toEqual({ isFixed: true, keywords: snaps });
  });

  test('it is no reason for an audit that a keyword is tracked and measured, unless it is another form of a word of the listing', async () => {
    await fixBasket();
    await auditing.trackKeyword(1, 'collage');
    expect(await auditing.runDue()).toBe(0);
    await auditing.trackKeyword(1, 'snaps');
    expect(await auditing.runDue()).toBe(1);
    const [stored] = await auditing.rows('listing_terms');
    expect(stored?.terms).toContain('snaps');
    expect(stored?.terms).not.toContain('collage');
    const auditsAfter = async (keyword: string) => {
      await auditing.measure(keyword, {}, pageOfApp);
      auditing.clock.advance(60_000);
      return auditing.runDue();
    };
    expect(await auditsAfter('collage')).toBe(0);
    expect(await auditsAfter('snaps')).toBe(1);
    expect(await auditsAfter('snap')).toBe(1);
    expect(await auditsAfter('collage')).toBe(0);
    expect(await basket()).toEqual({ isFixed: true, keywords: snaps });
  });

  test('an audit follows for one of its terms that is not tracked any more: it is read every day', async () => {
    await fixBasket();
    await know('snap2', { traffic: 50 });
    auditing.clock.advance(60_000);
    await auditing.runDue();
    await auditing.trackKeyword(1, 'snap2');
    expect(await auditing.runDue()).toBe(0);
    auditing.clock.advance(1000);
    await auditing.untrackKeyword(1, 'snap2');
    expect(await auditing.runDue()).toBe(1);
  });
});

test('a listing that is not followed is left alone', async () => {
  await know('collage');
  await auditing.trackKeyword(2, 'collage');
  await auditing.connection.collection('listings').updateMany({}, { $unset: { due_at: 1 } });
  await auditing.trackKeyword(1, 'collage');
  expect(await basket()).toEqual({ isFixed: false, keywords: snaps });
  expect(await auditing.runDue()).toBe(0);
});
