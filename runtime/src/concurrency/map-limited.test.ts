import { mapLimited } from './map-limited.ts';

test('results keep the order of the items, and the limit is respected', async () => {
  let working = 0;
  let max = 0;
  const results = await mapLimited([3, 1, 2, 5, 4], 2, async (item) => {
    max = Math.max(max, ++working);
    for (let tick = 0; tick < item; tick++) await Promise.resolve();
    working--;
    return item * 10;
  });
  expect(results).toEqual([30, 10, 20, 50, 40]);
  expect(max).toBe(2);
});

test('after a failure no item starts, and the error is thrown once running items have finished', async () => {
  const started: number[] = [];
  const finished: number[] = [];
  const work = async (item: number) => {
    started.push(item);
    if (item === 1) throw new Error('one fails');
    for (let tick = 0; tick < 10; tick++) await Promise.resolve();
    finished.push(item);
  };
  await expect(mapLimited([0, 1, 2, 3], 2, work)).rejects.toThrow('one fails');
  expect(started).toEqual([0, 1]);
  expect(finished).toEqual([0]);
});

test('an empty list starts no work', async () => {
  expect(await mapLimited([], 5, async () => 1)).toEqual([]);
});
