import { mapLimited } from './map-limited.ts';

test('results stand in the order of the items, and no more than the limit are worked on at once', async () => {
  let working = 0;
  let most = 0;
  const results = await mapLimited([3, 1, 2, 5, 4], 2, async (item) => {
    most = Math.max(most, ++working);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    working--;
    return item * 10;
  });
  expect(results).toEqual([30, 10, 20, 50, 40]);
  expect(most).toBe(2);
});

test('after a failure nothing new begins, and it is thrown once the rest has ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error('one fails');
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    ended.push(item);
  };
  await expect(mapLimited([0, 1, 2, 3], 2, work)).rejects.toThrow('one fails');
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([0]);
});

test('no items, no work', async () => {
  expect(await mapLimited([], 5, async () => 1)).toEqual([]);
});
