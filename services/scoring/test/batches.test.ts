import { recordCommands } from '../../../testing/record-commands.ts';
import { fakePlayApp } from './fake-store-fetch.ts';
import { createMeasuringHarness, jobCall, play, us } from './start-measuring.ts';

const start = createMeasuringHarness();

const keywords = Array.from({ length: 40 }, (_, index) => `keyword ${index}`);
const snapshotsOf = (day: string) =>
  keywords.map((keyword, index) => ({
    keyword_id: index,
    keyword,
    storefront: us,
    day,
    source: 'sample',
    app_ids: ['b', 'a'],
    revision: 1,
    taken_at: new Date(`${day}T03:00:00Z`),
  }));

test('a batch of 40 snapshots takes three commands when the terms are new, then two', async () => {
  const { onSnapshot, savePageRanks, connection, termOf, clock } = await start();
  const commands = recordCommands(connection);
  await onSnapshot(...snapshotsOf('2026-03-10'));
  expect(commands).toEqual(['find terms', 'update terms', 'update terms']);
  commands.length = 0;
  clock.moveTo('2026-03-11T03:00:05Z');
  await onSnapshot(...snapshotsOf('2026-03-11'));
  expect(commands).toEqual(['find terms', 'update terms']);
  for (const keyword of ['keyword 0', 'keyword 39'])
    expect(await termOf(keyword)).toMatchObject({ is_tracked: true, ranking: { day: '2026-03-11' } });
  expect(savePageRanks.mock.calls.map(([pages]) => pages.length)).toEqual([40, 40]);
});

test('a batch of snapshots wakes the workers of the stores that have due keywords, each once', async () => {
  const { onSnapshot, wakeTracked } = await start();
  const [first, second, ...others] = snapshotsOf('2026-03-10');
  if (!first || !second) throw new Error('too few keywords');
  await onSnapshot(
    first,
    second,
    ...others.slice(0, 5).map((snapshot) => ({ ...snapshot, storefront: play })),
  );
  expect(wakeTracked.mock.calls).toEqual([['ITUNES'], ['GPLAY']]);
});

test('16 keywords that are measured at the same time take as many commands as one', async () => {
  const { onSnapshot, trackedJobs, connection, events, notified } = await start();
  await onSnapshot(...snapshotsOf('2026-03-10'));
  const commands = recordCommands(connection);
  const measure = async (count: number) => {
    const jobs = await trackedJobs.ITUNES.claim(count, false);
    commands.length = 0;
    await Promise.all(jobs.map((job) => trackedJobs.ITUNES.run(job, jobCall())));
    return [...commands];
  };
  await measure(1);
  const one = await measure(1);
  expect(one).toEqual(['find terms', 'find terms', 'update terms', 'update terms']);
  expect((await measure(16)).length).toBeLessThanOrEqual(2 * one.length);
  expect(await events()).toHaveLength(18);
  expect(notified).toHaveLength(18);
});

test('when another write comes between, the measurements of the batch are saved once more, and none is lost', async () => {
  const { onSnapshot, trackedJobs, connection, termOf, store } = await start();
  await onSnapshot(...snapshotsOf('2026-03-10'));
  const jobs = await trackedJobs.ITUNES.claim(3, false);
  let isFirst = true;
  store.hooks.beforeAnswer = async (rpc) => {
    if (rpc !== 'searchApps' || !isFirst) return;
    isFirst = false;
    // As another copy would.
    const { _id } = await termOf(jobs[1]?.keyword ?? '');
    await connection.collection<{ _id: string }>('terms').updateOne({ _id }, { $inc: { revision: 1 } });
  };
  await Promise.all(jobs.map((job) => trackedJobs.ITUNES.run(job, jobCall())));
  for (const { keyword } of jobs)
    expect(await termOf(keyword)).toMatchObject({ score: { difficulty: expect.any(Number) } });
});

test('the chart of a storefront is read once for all keywords, and again after ten minutes', async () => {
  const { onSnapshot, runDue, store, clock, termOf } = await start();
  await onSnapshot(...snapshotsOf('2026-03-10').slice(0, 3));
  await runDue();
  expect(store.count('searchApps')).toBe(3);
  expect(store.count('getChart')).toBe(1);
  const [first, last] = [await termOf('keyword 0'), await termOf('keyword 2')];
  expect(last.reading.chart).toMatchObject({ read_at: first.reading.chart?.read_at, source: 'sample' });
  clock.moveTo('2026-03-11T09:00:00Z');
  await onSnapshot(...snapshotsOf('2026-03-11').slice(0, 3));
  await runDue();
  expect(store.count('getChart')).toBe(2);
});

test('the app details of 16 Google Play keywords take at most three times the commands of one', async () => {
  const { onSnapshot, trackedJobs, connection, store, appDetails } = await start();
  await onSnapshot(...snapshotsOf('2026-03-10').map((snapshot) => ({ ...snapshot, storefront: play })));
  for (const [index, keyword] of keywords.entries())
    store.setPage(
      keyword,
      ['on-all-pages', `a${index}`, `b${index}`].map((appId) => fakePlayApp(appId)),
    );
  const commands = recordCommands(connection);
  const measure = async (count: number) => {
    const jobs = await trackedJobs.GPLAY.claim(count, false);
    commands.length = 0;
    await Promise.all(jobs.map((job) => trackedJobs.GPLAY.run(job, jobCall())));
    return commands.filter((command) => command.endsWith(' app_details'));
  };
  const one = await measure(1);
  expect(one).toEqual(['find app_details', 'update app_details', 'find app_details']);
  expect((await measure(16)).length).toBeLessThanOrEqual(3 * one.length);
  expect(await appDetails.model.countDocuments()).toBe(1 + 2 * 17);
});
