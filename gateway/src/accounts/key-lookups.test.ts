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

test('a flood of 1,000 unknown keys makes at most two queries at once, and eleven altogether', async () => {
  const { queries, lookUp } = create();
  const flood = Array.from({ length: 1000 }, (_, key) => lookUp(`k${key}`));
  const valid = lookUp('valid');
  await settle();
  let ended = 0;
  while (ended < queries.length) {
    expect(queries.length - ended).toBeLessThanOrEqual(2);
    queries[ended++]?.end();
    await settle();
  }
  expect(await valid).toBe('valid!');
  expect(new Set(await Promise.all(flood))).toEqual(new Set([null]));
  expect(queries.map(({ hashes }) => hashes.length)).toEqual([...Array(10).fill(100), 1]);
});

test('equal keys that arrive together are one key of the query', async () => {
  const { queries, lookUp } = create();
  const found = ['v1', 'v2', 'v2', 'v2'].map((hash) => lookUp(hash));
  await settle();
  queries[0]?.end();
  expect(queries.map(({ hashes }) => hashes)).toEqual([['v1', 'v2']]);
  expect(await Promise.all(found)).toEqual(['v1!', 'v2!', 'v2!', 'v2!']);
});

test('a query that fails fails its keys only', async () => {
  const { queries, lookUp } = create();
  const failed = expect(lookUp('v1')).rejects.toThrow('gone');
  await settle();
  const found = lookUp('v2');
  await settle();
  queries[0]?.end(new Error('gone'));
  queries[1]?.end();
  await failed;
  expect(await found).toBe('v2!');
});
