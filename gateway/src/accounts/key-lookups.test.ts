import { createKeyLookups } from './key-lookups.ts';

/** Look-ups whose queries end when the test ends them. */
function create() {
  const queries: { hashes: string[]; end(error?: Error): void }[] = [];
  const lookUp = createKeyLookups<string>(
    (hashes) =>
      new Promise((resolve, reject) => {
        queries.push({
          hashes,
          end: (error) =>
            error
              ? reject(error)
              : resolve(new Map(hashes.filter((h) => h.startsWith('v')).map((h) => [h, `${h}!`]))),
        });
      }),
  );
  return { queries, lookUp };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a flood of 1,000 unknown keys makes at most two queries at once, and twelve altogether', async () => {
  const { queries, lookUp } = create();
  const flood = Array.from({ length: 1000 }, (_, key) => lookUp(`k${key}`));
  const valid = lookUp('valid');
  let ended = 0;
  while (ended < queries.length) {
    expect(queries.length - ended).toBeLessThanOrEqual(2);
    queries[ended++]?.end();
    await settle();
  }
  expect(await valid).toBe('valid!');
  expect(new Set(await Promise.all(flood))).toEqual(new Set([null]));
  // Two start at once with one key each; the others have 100 keys each.
  expect(queries.map(({ hashes }) => hashes.length)).toEqual([1, 1, ...Array(9).fill(100), 99]);
});

test('equal keys that wait are one key of the query', async () => {
  const { queries, lookUp } = create();
  const found = ['v1', 'v2', 'v3', 'v3', 'v3'].map((hash) => lookUp(hash));
  for (let query = 0; query < 3; query++) {
    queries[query]?.end();
    await settle();
  }
  expect(queries.map(({ hashes }) => hashes)).toEqual([['v1'], ['v2'], ['v3']]);
  expect(await Promise.all(found)).toEqual(['v1!', 'v2!', 'v3!', 'v3!', 'v3!']);
});

test('a query that fails fails its keys only', async () => {
  const { queries, lookUp } = create();
  const failed = expect(lookUp('v1')).rejects.toThrow('gone');
  const found = lookUp('v2');
  queries[0]?.end(new Error('gone'));
  queries[1]?.end();
  await failed;
  expect(await found).toBe('v2!');
});
