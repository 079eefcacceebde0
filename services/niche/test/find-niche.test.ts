import { until } from '../../../testing/manual-clock.ts';
import { createHarness, within } from './start-niche.ts';

const { startNiche } = createHarness();

test('without an analysis nothing is found, read or stored', async () => {
  const { find, list, store } = await startNiche();
  expect(await find()).toEqual({ analysis: null, is_saved: false, is_under_way: false });
  expect(store.count()).toBe(0);
  expect((await list()).total).toBe(0);
});

test('an analysis for one account is found by another and added to its history', async () => {
  const { analyze, find, list } = await startNiche();
  const { analysis } = await analyze();
  expect(await find({ account_id: 'ben', topic: 'Habit Tracker' })).toEqual({
    analysis,
    is_saved: true,
    is_under_way: false,
  });
  expect((await list('ben')).total).toBe(1);
});

test('every copy of the service reports a running analysis until it ends', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  one.scoring.hooks.beforeAnswer = () => opened;
  const caller = new AbortController();
  const call = one.analyze({}, within(300_000, caller.signal));
  await until(() => one.scoring.requestedTerms().length > 0);
  caller.abort();
  await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const underWay = { analysis: null, is_saved: false, is_under_way: true };
  expect([await one.find(), await other.find({ account_id: 'ben' })]).toEqual([underWay, underWay]);
  expect(await one.find({ topic: 'camera' })).toEqual({ ...underWay, is_under_way: false });
  open();
  await until(async () => (await other.find()).analysis !== null);
  expect((await one.find()).is_under_way).toBe(false);
});

test('an analysis that waits to run is under way, too', async () => {
  const { analyze, find, scoring, server } = await startNiche();
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  scoring.hooks.beforeAnswer = () => opened;
  const calls = ['camera', 'recipes', 'running'].map((topic) => analyze({ topic }));
  const isWaiting = async () => (await server.checks.analyses?.())?.detail.includes('1 wait');
  await until(async () => (await isWaiting()) === true);
  const found = await Promise.all(['camera', 'recipes', 'running'].map((topic) => find({ topic })));
  expect(found.map((reply) => reply.is_under_way)).toEqual([true, true, true]);
  open();
  await Promise.all(calls);
});

test('a failed analysis is no longer under way', async () => {
  const { analyze, find, scoring } = await startNiche();
  scoring.refusal.of = () => 'The App Store blocks us.';
  await expect(analyze()).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  expect((await find()).is_under_way).toBe(false);
});

test('an analysis older than seven days is not found', async () => {
  const { analyze, find, clock } = await startNiche();
  await analyze();
  clock.advance(7 * 24 * 60 * 60_000);
  expect((await find()).analysis).toBeNull();
});

test('an invalid topic is refused', async () => {
  const { find } = await startNiche();
  await expect(find({ topic: '' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
