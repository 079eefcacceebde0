import fc from 'fast-check';
import { mongo, Schema } from 'mongoose';
import { useDatabase } from '../../testing/use-database.ts';
import { findFields, streamFields } from '../src/mongo/read/find-fields.ts';
import { createFieldReader } from '../src/mongo/read/read-fields.ts';
import { createTextList, type TextList } from '../src/mongo/read/text-list.ts';

const { BSON } = mongo;
const schema = new Schema({ _id: Number, latest: Object });
const database = useDatabase({
  database: 'texts',
  createModels: (connection) => connection.model('Page', schema, 'pages'),
  migrations: [],
});

/** The array of a document `{ texts: [...] }`, without the length, type and name in front of it and the end. */
function encode(texts: unknown[]): Buffer {
  return Buffer.from(BSON.serialize({ texts }).subarray(4 + 1 + 'texts'.length + 1, -1));
}

async function openPages() {
  const { connection } = await database.take();
  return connection.model<{ _id: number }>('Page');
}

type Page = { _id: number; name: string; latest?: { day: string; ids: TextList; top: object[] } | null };
const fields = {
  _id: 'value',
  name: 'value',
  latest: { day: 'value', ids: 'texts', top: [{ id: 'value', title: 'value' }] },
} as const;

test('a list of texts finds and shows what an array does', () => {
  const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'ab', 'bb', 'é', '\u{1f600}'), fc.string());
  fc.assert(
    fc.property(fc.array(text, { maxLength: 120 }), text, fc.nat(130), (texts, wanted, index) => {
      const list = createTextList(encode(texts));
      expect([list.length, list.indexOf(wanted), list.at(index)]).toEqual([
        texts.length,
        texts.indexOf(wanted),
        texts.at(index),
      ]);
    }),
  );
});

test('a list with another value is refused', () => {
  expect(() => createTextList(encode(['a', 1]))).toThrow('a list of texts holds another value');
});

test('the given fields are read as the driver reads them', () => {
  const text = fc.oneof(fc.constantFrom('', 'a', 'é', '\u{1f600}'), fc.string());
  const value = fc.oneof(
    text,
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.maxSafeInteger().map((n) => BSON.Long.fromNumber(n)),
    fc.date({ noInvalidDate: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { maxLength: 12 }),
  );
  const inner = fc.record({ a: value, b: value, other: value }, { requiredKeys: [] });
  const document = fc.record(
    {
      c: value,
      unread: fc.oneof(
        inner,
        fc.constant(new BSON.ObjectId()),
        fc.constant(new BSON.Binary(Buffer.from('ab'))),
      ),
      in: fc.oneof(inner, fc.constant(null)),
      é: value,
      each: fc.oneof(fc.array(inner, { maxLength: 12 }), fc.constant(null)),
    },
    { requiredKeys: [] },
  );
  const read = createFieldReader({
    c: 'value',
    in: { b: 'value', a: 'value' },
    é: 'value',
    each: [{ a: 'value', b: 'value' }],
  });
  const pick = ({ other: _, ...rest }: { other?: unknown }) => rest;
  fc.assert(
    fc.property(document, (stored) => {
      const bytes = Buffer.from(BSON.serialize(stored));
      const { unread: _, ...expected } = BSON.deserialize(bytes);
      if (expected.in) expected.in = pick(expected.in);
      if (expected.each) expected.each = expected.each.map(pick);
      expect(read(bytes)).toEqual(expected);
    }),
  );
});

test.each([
  ['a document where a value was expected', { a: { b: 1 } }, { a: 'value' }],
  ['a value where a document was expected', { a: 1 }, { a: { b: 'value' } }],
  ['a text where texts were expected', { a: 'b' }, { a: 'texts' }],
  ['another value among documents', { a: [1] }, { a: [{ b: 'value' }] }],
] as const)('%s is refused', (_name, stored, shape) => {
  const read = createFieldReader(shape);
  expect(() => read(Buffer.from(BSON.serialize(stored)))).toThrow(TypeError);
});

test('only the texts stay encoded, and fields that are not wanted are left out', async () => {
  const pages = await openPages();
  const latest = { day: '2026-05-04', ids: ['9', '8', 'é'], top: [{ id: '9', title: 'Nine' }] };
  await pages.collection.insertOne({ _id: 1, name: 'one', latest, at: new Date(5) } as never);
  const [page] = await findFields<Page>(pages, { _id: 1 }, { fields });
  const ids = page?.latest?.ids;
  expect(page).toEqual({ _id: 1, name: 'one', latest: { ...latest, ids } });
  expect(Array.isArray(ids)).toBe(false);
  expect([ids?.length, ids?.indexOf('é'), ids?.at(1), ids?.at(3)]).toEqual([3, 2, '8', undefined]);
});

test('absent fields stay absent, and the order and the number of documents are those of the query', async () => {
  const pages = await openPages();
  const stored = [
    { _id: 1, name: 'none' },
    { _id: 2, name: 'null', latest: null },
    { _id: 3, name: 'other', latest: { day: '2026-05-04' } },
  ];
  await pages.collection.insertMany(stored as never[]);
  expect(await findFields<Page>(pages, {}, { fields, sort: { _id: 1 } })).toEqual(stored);
  expect(await findFields<Page>(pages, {}, { fields, sort: { _id: -1 }, skip: 1, limit: 1 })).toEqual([
    stored[1],
  ]);
});

test('documents can be read one after another, in several batches and with a projection', async () => {
  const pages = await openPages();
  const stored = Array.from({ length: 7 }, (_, n) => ({ _id: n, name: 'n', latest: { ids: [`id${n}`] } }));
  await pages.collection.insertMany(stored as never[]);
  const found: unknown[] = [];
  const projection = { 'latest.ids': 1 } as const;
  for await (const page of streamFields<Page>(pages, {}, { fields, batchSize: 3, projection }))
    found.push([page.name, page.latest?.ids.at(0)]);
  expect(found).toEqual(stored.map(({ _id }) => [undefined, `id${_id}`]));
});
