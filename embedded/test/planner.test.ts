import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createEngine, type Engine } from '../src/engine/create-engine.ts';
import type { Batch } from '../src/engine/cursors.ts';
import { type Doc, fromBson, ObjectId, toBson } from '../src/semantics/bson.ts';
import { checkFilter } from '../src/semantics/check-filter.ts';
import { encodeKey } from '../src/semantics/encode-key.ts';
import { createMatcher } from '../src/semantics/match.ts';
import { checkSort, createSortKey, sortByKey } from '../src/semantics/sort.ts';
import { openKeyValueStore } from '../src/storage/key-value-store.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'planner-'));
let engine: Engine;

beforeAll(() => {
  engine = createEngine({
    store: openKeyValueStore(join(dataDir, 'store.mdb')),
    now: () => new Date(0),
    onFault: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const idOf = ({ _id }: Doc) => _id;
const run = (command: Doc) => engine.run({ ...command, $db: 'p' }, engine);
const ids = Array.from({ length: 4 }, (_, n) => new ObjectId(String(n).repeat(24)));

const long = 'x'.repeat(300);
const orderedValues = [
  ...[-1, 0, -0, 1, 0.5, Number.NEGATIVE_INFINITY],
  ...['', 's', 's1', 'a\u0000b', '\u{1f600}', '\uffee', `${long}1`, `${long}2`, `${long}3`, `${long}4`],
  ...[new Date(0), new Date(1000), ids[0], ids[1]],
];
const ordered = fc.constantFrom<unknown[]>(...orderedValues);
const number = fc.constantFrom(-1, 0, 0.5, 1);
const shortScalar = fc.constantFrom<unknown[]>(
  ...orderedValues.filter((value) => !String(value).startsWith(long)),
  null,
  true,
  Number.NaN,
);
const scalar = fc.constantFrom<unknown[]>(...orderedValues, null, null, true, Number.NaN);
const plainValue = fc.oneof({ weight: 8, arbitrary: scalar }, fc.record({ x: scalar }));
const arrayValue = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.array(fc.record({ x: scalar }), { maxLength: 2 }),
);
const fields = ['a', 'b', 'c'];
const paths = ['a', 'a', 'b', 'b', 'c', 'b.x', 'c.x', '_id'];
/**
 * Only `b` and `c` have long values, and only `c` has arrays: one such document changes how an index on the field can
 * be used.
 */
const document = fc.record({ a: shortScalar, b: plainValue, c: arrayValue }, { requiredKeys: [] });

const condition = fc.oneof(
  scalar,
  scalar.map(($eq) => ({ $eq })),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map(($in) => ({ $in })),
  ordered.map(($gt) => ({ $gt })),
  ordered.map(($lte) => ({ $lte })),
  fc.tuple(ordered, ordered).map(([$gte, $lt]) => ({ $gte, $lt })),
  fc.tuple(ordered, scalar).map(([$gt, $ne]) => ({ $gt, $ne })),
  fc.record({ $gt: number, $gte: number, $lt: number, $lte: number }, { requiredKeys: ['$gt', '$gte'] }),
  fc.record(
    { $gt: ordered, $eq: scalar, $in: fc.array(scalar, { maxLength: 3 }) },
    { requiredKeys: ['$gt'] },
  ),
  fc.array(scalar, { maxLength: 2 }).map(($nin) => ({ $nin })),
  ordered.map(($gt) => ({ $not: { $gt } })),
);
const simpleFilter: fc.Arbitrary<Doc> = fc
  .array(fc.tuple(fc.constantFrom(...paths), condition), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));
const filters = fc.oneof(
  { weight: 4, arbitrary: simpleFilter },
  fc
    .tuple(simpleFilter, simpleFilter, simpleFilter)
    .map(([left, right, common]) => ({ $or: [left, right], ...common })),
);
const sorts = fc.oneof(
  fc.constant(undefined),
  fc
    .tuple(fc.uniqueArray(fc.constantFrom(...fields), { minLength: 1, maxLength: 2 }), fc.constantFrom(1, -1))
    .map(([names, order]) => Object.fromEntries([...names, '_id'].map((name) => [name, order]))),
);
const index = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'b.x', 'c.x'), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([names, sparse]) => ({
    key: Object.fromEntries(names.map((name) => [name, 1])),
    name: names.join('+'),
    sparse,
  }));
const scenario = fc.record({
  docs: fc.array(document, { minLength: 30, maxLength: 40 }),
  changes: fc.array(fc.tuple(fc.nat(30), fc.constantFrom('a', 'b'), shortScalar), { maxLength: 15 }),
  indexes: fc.uniqueArray(index, { maxLength: 3, selector: ({ name }) => name }),
  queries: fc.array(fc.record({ filter: filters, sort: sorts, skip: fc.nat(5), limit: fc.nat(10) }), {
    minLength: 25,
    maxLength: 25,
  }),
});

/** An index may refuse documents with two arrays. The insert is therefore unordered and may be partial. */
async function load(docs: readonly Doc[], indexes: readonly Doc[]): Promise<void> {
  await run({ dropDatabase: 1 });
  await run({ insert: 'c', documents: [{ _id: -1 }] });
  for (const spec of indexes) await run({ createIndexes: 'c', indexes: [spec] });
  await run({ insert: 'c', documents: docs.map((doc, n) => ({ _id: n, ...doc })), ordered: false });
}

async function readAll(): Promise<Doc[]> {
  return batch(await run({ find: 'c', batchSize: 1000 }));
}

function batch(reply: Doc): Doc[] {
  return (reply.cursor as { firstBatch: Batch }).firstBatch.docs.map(fromBson);
}

function copy(filter: Doc): Doc {
  return fromBson(toBson(filter));
}

test('a query through an index gives the same documents in the same order as a full scan', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ docs, changes, indexes, queries }) => {
      await load(docs, indexes);
      for (const [_id, field, value] of changes) {
        await run({ update: 'c', updates: [{ q: { _id }, u: { $set: { [field]: value } } }] });
        if (_id % 5 === 0) await run({ delete: 'c', deletes: [{ q: { _id }, limit: 1 }] });
      }
      const stored = await readAll();
      expect((await run({ count: 'c' })).n).toBe(stored.length);
      for (const { filter, sort, skip, limit } of queries) {
        const find = async (page: Doc = {}) =>
          batch(await run({ find: 'c', filter: copy(filter), sort, ...page, batchSize: 1000 })).map(idOf);
        const matching = stored.filter(createMatcher(checkFilter(copy(filter))));
        const inOrder = (
          sort
            ? sortByKey(matching, (doc) => ({ key: createSortKey(checkSort(sort))(doc), item: doc }))
            : matching
        ).map(idOf);
        const found = await find();
        const { n } = await run({ count: 'c', query: copy(filter) });
        const end = limit === 0 ? undefined : skip + limit;
        // Without a sort the order is that of the index.
        const [actual, expected] = sort
          ? [
              [found, await find({ skip, limit })],
              [inOrder, inOrder.slice(skip, end)],
            ]
          : [found.sort(), inOrder.sort()];
        expect([n, actual]).toEqual([matching.length, expected]);
      }
    }),
    { numRuns: 50 },
  );
});

test.each([
  [{ list: 'x', n: { $gt: 0 } }, [2]],
  [{ list: { $in: ['x', 'y'] }, n: { $gte: 0 } }, [1, 2]],
  // Its index entry is that of null, which it does not equal.
  [{ list: null, n: { $gte: 0 } }, [4]],
  [{ list: { $in: [null, 'z'] }, n: { $gte: 0 } }, [2, 4]],
  [{ list: { $in: ['x', 'y'], $nin: ['z'] }, n: { $gte: 0 } }, [1]],
])('an index of lists and a condition that it does not have: %j', async (filter, expected) => {
  await run({ dropDatabase: 1 });
  await run({ createIndexes: 'c', indexes: [{ key: { list: 1 }, name: 'list' }] });
  const documents = [
    { _id: 1, n: 0, list: ['x', 'y'] },
    { _id: 2, n: 1, list: ['x', 'z'] },
    { _id: 3, n: 1, list: [] },
    { _id: 4, n: 1 },
  ];
  await run({ insert: 'c', documents });
  expect(batch(await run({ find: 'c', filter, sort: { _id: 1 } })).map(idOf)).toEqual(expected);
});

/** The first value with the same first 200 bytes whose hash, and so the rest of its index key, starts with 0xFF. */
function findValueWithHighHash(): string {
  for (let n = 0; ; n++) {
    const value = `${'x'.repeat(200)}${n}`;
    if (encodeKey(value)[1 + 200] === 0xff) return value;
  }
}

const highHash = findValueWithHighHash();
const zeroAtTruncation = `${'a'.repeat(198)}\0${'b'.repeat(10)}`;

test.each([
  ['a value that equals the start of a long bound', 'x'.repeat(200), { $gt: 'x'.repeat(300) }, 0],
  ['a long bound that is truncated at a zero byte', zeroAtTruncation, { $lte: zeroAtTruncation }, 1],
  ['a hash of 0xFF… below a long upper bound', highHash, { $lte: `${'x'.repeat(200)}~` }, 1],
  ['a hash of 0xFF… equal to its long upper bound', highHash, { $lte: highHash }, 1],
  ['a hash of 0xFF… equal to its exclusive bound', highHash, { $lt: highHash }, 0],
  ['a hash of 0xFF… above a bound of 200 bytes', highHash, { $gt: 'x'.repeat(200) }, 1],
  ['a hash of 0xFF… not below a bound of 200 bytes', highHash, { $lte: 'x'.repeat(200) }, 0],
  ['an ObjectId that starts with 0xFF', new ObjectId('f'.repeat(24)), { $gt: ids[0] }, 1],
])('a range finds exactly its values: %s', async (_name, a, range, expected) => {
  await run({ dropDatabase: 1 });
  await run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
  await run({ insert: 'c', documents: [{ a }] });
  const filter = { a: range };
  expect((await run({ count: 'c', query: filter })).n).toBe(expected);
  expect(batch(await run({ find: 'c', filter }))).toHaveLength(expected);
});
