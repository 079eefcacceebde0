import { createBatches } from './batches.ts';

/** Batches of at most three items that end when the test says so. */
function create() {
  const batches: { items: number[]; end(): void; fail(): void }[] = [];
  const add = createBatches<number, number>({
    maxItems: 3,
    run: (items) =>
      new Promise((resolve, reject) => {
        const end = () => resolve(items.map((item) => item * 10));
        batches.push({ items, end, fail: () => reject(new Error('the batch failed')) });
      }),
  });
  return { add, batches, started: () => batches.map(({ items }) => items) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('items of one turn share a batch; later ones wait until it has ended, and share the next', async () => {
  const { add, batches, started } = create();
  const first = [add(1), add(2)];
  await nextTurn();
  const second = [add(3), add(4)];
  await nextTurn();
  expect(started()).toEqual([[1, 2]]);
  batches[0]?.end();
  expect(await Promise.all(first)).toEqual([10, 20]);
  await nextTurn();
  expect(started()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  batches[1]?.end();
  expect(await Promise.all(second)).toEqual([30, 40]);
  const third = add(5);
  await nextTurn();
  batches[2]?.end();
  expect(await third).toBe(50);
});

test('a batch has at most `maxItems`, in the order of arrival', async () => {
  const { add, batches, started } = create();
  const results = Promise.all([1, 2, 3, 4, 5, 6, 7].map(add));
  for (const index of [0, 1, 2]) {
    await nextTurn();
    batches[index]?.end();
  }
  expect(await results).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(started()).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

test('a failure fails every item of its batch, and no other', async () => {
  const { add, batches } = create();
  const results = Promise.allSettled([1, 2, 3, 4].map(add));
  await nextTurn();
  batches[0]?.fail();
  await nextTurn();
  await nextTurn();
  batches[1]?.end();
  expect((await results).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ]);
});
