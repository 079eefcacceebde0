import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { toAsoReportMessage } from '../src/audits/to-aso-report-message.ts';
import { readTrackedListing } from '../src/domain/listing-reading.ts';
import { type Auditing, createAuditingHarness, trackedListing } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

const day = (date: string) => new Date(`${date}T00:00:00Z`);

/** The store shows another release, which is audited. */
async function release(revision: number, version: string | null, updated: string) {
  const shown = { version, updated_at: day(updated) };
  auditing.clock.advance(3_600_000);
  const readAt = auditing.clock.at.toISOString();
  await auditing.change(trackedListing(1, shown, { revision, read_at: readAt }));
  await auditing.runDue();
  return trackedListing(1, shown, { revision, read_at: readAt });
}

/** The words of `trackedListing` are read, so that its audit is shown. */
async function readWords(score: { traffic?: number; difficulty?: number } = {}) {
  for (const word of ['photo', 'editor']) await auditing.measure(word, score);
  await auditing.runDue();
}

const rated = (global: number | undefined) => ({ global });

test('the stored audit is returned, with its words only on request', async () => {
  const app = trackedListing(1);
  await auditing.track(app);
  await readWords();
  const stored = (await auditing.audits.find(1))?.report;
  if (!stored) throw new Error('it is audited');
  const audit = jest.spyOn(auditing.terms, 'findAuditTerms');
  expect(await auditing.health(app, true)).toEqual({
    report: toAsoReportMessage(stored),
    timeline: [],
    is_pending: false,
    is_partial: false,
    global_without_field: null,
    pending: null,
  });
  const { report } = await auditing.health(app);
  expect(report?.fields.map(({ words }) => words)).toEqual(stored.fields.map(() => []));
  expect(report?.fields[0]).toMatchObject({ key: 'title', text: 'Photo Editor', state: 'scored' });
  expect(audit).not.toHaveBeenCalled();
});

test('while its words are read, an audit has the fields without scores, and how many words are read', async () => {
  const app = trackedListing(1);
  await auditing.track(app);
  const first = await auditing.health(app, true);
  expect(first).toMatchObject({ report: null, is_pending: true, pending: { words: 2, words_read: 0 } });
  expect(first.pending?.fields[0]).toMatchObject({
    key: 'title',
    text: 'Photo Editor',
    length: 12,
    limit: 30,
    words: [{ status: 'pending' }, { status: 'pending' }],
  });
  expect(first.pending?.fields.map(({ score }) => score ?? null)).toEqual([null, null, null, null]);
  expect((await auditing.health(app)).pending?.fields.map(({ words }) => words)).toEqual([[], [], [], []]);
  await auditing.measure('photo', {});
  await auditing.runDue();
  const second = await auditing.health(app, true);
  expect(second.pending).toMatchObject({ words: 2, words_read: 1 });
  // A searched word is not called irrelevant before all of them are read.
  expect(second.pending?.fields[0]?.words[0]).toMatchObject({ traffic: 40, counts: null });
  await readWords();
  expect(await auditing.health(app)).toMatchObject({ is_pending: false, pending: null });
});

test('a pending audit says when its words are looked at again, once all that are left are planned for later', async () => {
  const app = trackedListing(1);
  await auditing.track(app);
  const later = (minutes: number) => new Date(auditing.clock.at.getTime() + minutes * 60_000);
  const plan = (keyword: string, changes: object) =>
    auditing.terms.model.updateOne({ keyword }, { $set: changes });
  const nextLook = async () => (await auditing.health(app)).pending?.next_look_at ?? null;
  expect(await nextLook()).toBeNull();
  await plan('photo', { due_at: later(10) });
  expect(await nextLook()).toBeNull();
  await plan('editor', { due_at: later(11) });
  expect(await nextLook()).toEqual(later(11));
  await plan('photo', { claimed_by: 'a copy' });
  expect(await nextLook()).toBeNull();
});

test('an app without any event is audited on request, and then kept up to date', async () => {
  expect((await auditing.health(trackedListing(1), true)).report).toBeNull();
  for (const word of ['photo', 'editor']) await auditing.measure(word, {});
  expect(await auditing.runDue()).toBe(1);
  const later = await auditing.health(trackedListing(1), true);
  expect(later.report?.fields[0]?.words[0]).toMatchObject({ name: 'photo', status: 'earning' });
});

test('an app that was only requested is audited for two more days, and immediately when it is requested again', async () => {
  await auditing.health(trackedListing(1));
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  expect(await auditing.runDue()).toBe(1);
  auditing.clock.moveTo(slotOf(1, '2026-03-13'));
  expect(await auditing.runDue()).toBe(0);
  auditing.clock.moveTo('2026-03-20T09:00:00Z');
  await auditing.health(trackedListing(1));
  expect((await auditing.audits.find(1))?.computed_at).toEqual(auditing.clock.at);
});

test('users who ask for an app at the same time share its first audit', async () => {
  const start = jest.spyOn(auditing.listings, 'startAudit');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => auditing.health(trackedListing(1), true)),
  );
  expect(start).toHaveBeenCalledTimes(1);
  for (const reply of replies) expect(reply).toEqual(replies[0]);
  expect(await auditing.audits.find(1)).toMatchObject({ revision: 1 });
});

test('a user gets the first audit as soon as it is stored, before its terms are requested', async () => {
  const { requestMeasuring } = auditing.terms;
  let request = () => {};
  const requested = new Promise<void>((resolve) => {
    request = resolve;
  });
  jest.spyOn(auditing.terms, 'requestMeasuring').mockImplementationOnce(async (...args) => {
    await requested;
    return requestMeasuring(...args);
  });
  const audit = await auditing.auditor.followAndAudit(readTrackedListing(trackedListing(1)), 'request-1');
  expect(await auditing.audits.find(1)).toEqual(audit);
  expect(await auditing.rows('terms')).toEqual([]);
  request();
  await auditing.auditor.settled();
  expect(await auditing.rows('terms')).toHaveLength(3);
});

test('when what follows from an audit cannot be stored, the user still has it, and it is made again after a minute', async () => {
  jest.spyOn(auditing.terms, 'requestMeasuring').mockRejectedValueOnce(new Error('the database is down'));
  expect(await auditing.health(trackedListing(1))).toMatchObject({ is_pending: true });
  expect(await auditing.runDue()).toBe(0);
  auditing.clock.advance(60_000);
  expect(await auditing.runDue()).toBe(1);
  expect(await auditing.rows('terms')).toHaveLength(3);
});

test('a copy that died in the middle of an audit does not hold up a user of another copy', async () => {
  const dead = auditing.startCopy();
  await new Promise<void>((hasClaimed) => {
    jest.spyOn(dead.terms, 'findAuditTerms').mockImplementationOnce(() => {
      hasClaimed();
      return new Promise(() => {});
    });
    void dead.health(trackedListing(1));
  });
  expect(await auditing.rows('listings')).toMatchObject([{ claimed_by: expect.any(String) }]);
  expect(await auditing.health(trackedListing(1))).toMatchObject({ is_pending: true });
  expect(await auditing.audits.find(1)).toMatchObject({ revision: 1 });
});

test('a newer reading in a request is audited before the reply; an older one is ignored', async () => {
  await auditing.track(trackedListing(1));
  await auditing.measure('camera', {});
  const newer = await auditing.health(trackedListing(1, { title: 'Camera' }, { revision: 2 }), true);
  expect(newer.report?.fields[0]?.words.map(({ name }) => name)).toEqual(['camera']);
  const older = await auditing.health(trackedListing(1), true);
  expect(older).toEqual(newer);
});

test('an audit of an older listing than the requested one is recomputed, even when an event already brought the newer one', async () => {
  await auditing.track(trackedListing(1));
  const newer = trackedListing(1, { title: 'Camera' }, { revision: 2 });
  await auditing.measure('camera', {});
  await auditing.change(newer);
  const { report } = await auditing.health(newer, true);
  expect(report?.fields[0]?.words.map(({ name }) => name)).toEqual(['camera']);
});

test('a competitor that is requested before its event arrives is audited with its newest reading', async () => {
  await auditing.measure('camera', {});
  await auditing.change(trackedListing(1, { title: 'Camera' }, { revision: 2 }));
  const { report } = await auditing.health(trackedListing(1), true);
  expect(report?.fields[0]?.words.map(({ name }) => name)).toEqual(['camera']);
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  expect(await auditing.runDue()).toBe(1);
});

test('the timeline has the past releases, newest first, each with its last audited score', async () => {
  await auditing.track(trackedListing(1, { version: '1.0', updated_at: day('2026-01-01') }));
  await readWords({ traffic: 90, difficulty: 5 });
  const first = (await auditing.audits.find(1))?.report.global;
  await release(2, '1.1', '2026-02-01');
  auditing.clock.advance(60_000);
  await readWords({ traffic: 20, difficulty: 5 });
  const second = (await auditing.audits.find(1))?.report.global;
  const present = await release(3, '1.2', '2026-03-01');
  const { timeline } = await auditing.health(present);
  expect(timeline).toEqual([
    { date: day('2026-02-01'), version: '1.1', ...rated(second) },
    { date: day('2026-01-01'), version: '1.0', ...rated(first) },
  ]);
  expect(first).toBeGreaterThan(second ?? 100);
});

test('without a version a release is identified by its day; an audit within a release adds no row', async () => {
  await auditing.track(trackedListing(1, { version: null, updated_at: day('2026-01-01') }));
  await readWords();
  const same = await release(2, null, '2026-01-01');
  expect((await auditing.health(same)).timeline).toEqual([]);
  const next = await release(3, null, '2026-02-01');
  const { timeline } = await auditing.health(next);
  expect(timeline).toMatchObject([{ date: day('2026-01-01') }]);
  expect(timeline[0]?.version ?? null).toBeNull();
});

test('after a crash while a release ends, the timeline has it once, as soon as the next audit is stored', async () => {
  const app = trackedListing(1, { version: '1.0', updated_at: day('2026-01-01') });
  await auditing.track(app);
  await readWords();
  const broken = jest
    .spyOn(auditing.audits, 'replace')
    .mockRejectedValue(new Error('the process was killed'));
  await expect(release(2, '1.1', '2026-02-01')).rejects.toThrow('killed');
  broken.mockRestore();
  expect((await auditing.health(app)).timeline).toEqual([]);
  auditing.clock.advance(60_000);
  await auditing.runDue();
  expect((await auditing.health(app)).timeline).toMatchObject([{ version: '1.0' }]);
});

test('at most 400 past releases are returned', async () => {
  const app = trackedListing(1);
  await auditing.track(app);
  const audit = await auditing.audits.find(1);
  if (!audit) throw new Error('it was audited');
  for (let index = 0; index < 401; index++)
    await auditing.releases.save({
      ...audit,
      release: { date: new Date(index * 86_400_000), version: `${index}` },
    });
  await auditing.audits.model.updateOne({ _id: 1 }, { $set: { is_timeline_empty: false } });
  const { timeline } = await auditing.health(app);
  expect(timeline).toHaveLength(400);
  expect([timeline[0]?.version, timeline.at(-1)?.version]).toEqual(['400', '1']);
});

test('an audit of an earlier scoring version is recomputed before it is returned', async () => {
  await auditing.track(trackedListing(1));
  await readWords();
  await auditing.audits.model.updateOne({ _id: 1 }, { $set: { scoring_version: 0 } });
  auditing.clock.advance(1000);
  const { report } = await auditing.health(trackedListing(1));
  expect(report?.computed_at).toEqual(auditing.clock.at);
});

test.each([
  ['no app', null, 'app'],
  ['no listing', { ...trackedListing(1), listing: null }, 'app'],
  ['no read time', { ...trackedListing(1), read_at: null }, 'app'],
  ['no storefront', { ...trackedListing(1), storefront: null }, 'store'],
  ['an invalid id', { ...trackedListing(1), id: 0 }, 'app.id'],
  ['a source without a name', { ...trackedListing(1), source: '' }, 'app.source'],
])('%s is refused', async (_, app, field) => {
  await expect(auditing.health(app as never)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: expect.anything() } } },
  });
});
