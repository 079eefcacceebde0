import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createEngine, type Engine } from '../src/engine/create-engine.ts';
import type { Batch } from '../src/engine/cursors.ts';
import { applyUpdate } from '../src/semantics/apply-update.ts';
import { type Doc, fromBson, toBson } from '../src/semantics/bson.ts';
import { checkUpdate } from '../src/semantics/check-update.ts';
import { type KeyValueStore, openKeyValueStore } from '../src/storage/key-value-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'update-bytes-'));
let store: KeyValueStore;
let engine: Engine;
/** What is stored instead of a document. */
let stored = (bytes: Buffer) => bytes;

beforeAll(async () => {
  store = openKeyValueStore(join(folder, 'store.mdb'));
  engine = createEngine({
    store: { ...store, put: (key, value) => store.put(key, stored(value)) },
    now: () => new Date(0),
    onFault: (error) => {
      throw error;
    },
  });
});
beforeEach(async () => {
  stored = (bytes) => bytes;
  await run({ drop: 'c' }).catch(() => {});
  const index = (...fields: string[]) => ({
    key: Object.fromEntries(fields.map((field) => [field, 1])),
    name: fields.join(),
  });
  await run({ createIndexes: 'c', indexes: [index('a'), index('text.of', 'a'), index('b.c', 'd')] });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: Doc) => engine.run({ ...command, $db: 'd' }, engine);
const update = (q: Doc, u: Doc) => run({ update: 'c', updates: [{ q, u }] });

async function find(filter: Doc): Promise<Buffer[]> {
  const { cursor } = await run({ find: 'c', filter });
  return [...(cursor as { firstBatch: Batch }).firstBatch.docs];
}

const long = 'x'.repeat(500);

test('an update decodes only the fields that it changes, tests or finds in the indexes of the changed ones', async () => {
  // Decoding refuses this text: it is not UTF-8.
  stored = (bytes) => {
    const broken = Buffer.from(bytes);
    for (let at = broken.indexOf('?'); at >= 0; at = broken.indexOf('?')) broken[at] = 0xff;
    return broken;
  };
  await run({
    insert: 'c',
    documents: [{ _id: 1, b: { c: 1 }, page: { deep: `a?b ${long}` }, d: 2, e: 3, gone: 1 }],
  });
  const [before] = await find({ _id: 1 });
  expect(() => fromBson(before ?? Buffer.alloc(0))).toThrow();
  const change = { $set: { 'b.c': 5, later: true }, $inc: { e: 1 }, $unset: { gone: '' } };
  expect(await update({ _id: 1, e: { $gte: 3 }, $or: [{ d: 2 }, { 'b.c': 9 }] }, change)).toMatchObject({
    nModified: 1,
  });
  const [after] = await find({ 'b.c': 5, d: 2 });
  const whole = toBson({ _id: 1, b: { c: 5 }, page: { deep: `a?b ${long}` }, d: 2, e: 4, later: true });
  expect(after).toEqual(stored(whole));
  expect(await find({ 'b.c': 1 })).toEqual([]);
  expect(await update({ _id: 1 }, { $set: { later: true, 'b.c': 5 } })).toMatchObject({ n: 1, nModified: 0 });
});

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(null, true, '', 'text', long),
  fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  fc.record({ of: fc.integer({ min: 0, max: 3 }), c: fc.constantFrom('x', long) }, { requiredKeys: [] }),
);
const fields = ['a', 'b', 'd', 'text', 'other'];
const document = fc.dictionary(fc.constantFrom(...fields), value);
const changes = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('$set', '$unset', '$min', '$max'),
    fc.constantFrom(...fields, 'new', 'text.of', 'b.c', 'new.deep.er'),
    value,
  ),
  { minLength: 1, maxLength: 3, selector: ([, path]) => path.split('.')[0] },
);

test('whatever an update changes, the document and its indexes are as if it had been decoded whole', async () => {
  await fc.assert(
    fc.asyncProperty(document, changes, async (doc, list) => {
      const u: Record<string, Doc> = {};
      for (const [operator, path, operand] of list) u[operator] = { ...u[operator], [path]: operand };
      await run({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
      // Two arrays in one index are refused.
      if ((await run({ insert: 'c', documents: [{ _id: 1, ...doc }] })).writeErrors) return;
      const [before = Buffer.alloc(0)] = await find({ _id: 1 });
      const { writeErrors } = await update({ _id: 1 }, u);
      const [after = Buffer.alloc(0)] = await find({ _id: 1 });
      const expected = writeErrors ? before : toBson(applyUpdate(fromBson(before), checkUpdate(u)));
      expect(fromBson(after)).toEqual(fromBson(expected));
      const { a } = fromBson(after);
      if (typeof a === 'number') expect(await find({ a })).toHaveLength(1);
      if (typeof fromBson(before).a === 'number' && fromBson(before).a !== a && !Array.isArray(a))
        expect(await find({ a: fromBson(before).a })).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
