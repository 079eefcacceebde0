import { createHarness } from './start-niche.ts';

const { startNiche } = createHarness();

test('without an analysis nothing is found, nothing read and nothing remembered', async () => {
  const { find, list, store } = await startNiche();
  expect(await find()).toEqual({ analysis: null, is_saved: false });
  expect(store.count()).toBe(0);
  expect((await list()).total).toBe(0);
});

test('what was analysed for one account is found by another, and stands in its history from then on', async () => {
  const { analyze, find, list } = await startNiche();
  const { analysis } = await analyze();
  expect(await find({ account_id: 'ben', topic: 'Habit Tracker' })).toEqual({ analysis, is_saved: true });
  expect((await list('ben')).total).toBe(1);
});

test('what is older than seven days is not found', async () => {
  const { analyze, find, clock } = await startNiche();
  await analyze();
  clock.advance(7 * 24 * 60 * 60_000);
  expect((await find()).analysis).toBeNull();
});

test('a bad topic is refused', async () => {
  const { find } = await startNiche();
  await expect(find({ topic: '' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
