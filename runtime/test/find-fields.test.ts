import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { mongo, Schema } from 'mongoose';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { connectMongo } from '../src/mongo/connect-mongo.ts';
import { findWithTexts } from '../src/mongo/find-with-texts.ts';
import { createTextList, type TextList } from '../src/mongo/text-list.ts';
import { createRecordingLogger } from './recording-logger.ts';

const { BSON } = mongo;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const databaseUri = useDatabaseServer();

/** The array of a document `{ texts: [...] }`, without the length, type and name in front of it and the end. */
function encode(texts: unknown[]): Buffer {
  return Buffer.from(BSON.serialize({ texts }).subarray(4 + 1 + 'texts'.length + 1, -1));
}

async function openPages() {
  const { logger } = createRecordingLogger();
  const database = `texts_${randomUUID().slice(0, 18)}`;
  const connection = await connectMongo({ uri: databaseUri(), database, logger });
  closing.push(
    () => connection.close(),
    () => connection.dropDatabase(),
  );
  return connection.model('Page', new Schema({ _id: Number, latest: Object }), 'pages');
}

type Page = { _id: number; name: string; latest?: { day: string; ids: TextList; top: object[] } | null };
const options = { path: ['latest', 'ids'], batchSize: 100 };

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

test('only the texts stay encoded: the rest of a document is decoded', async () => {
  const pages = await openPages();
  const latest = { day: '2026-05-04', ids: ['9', '8', 'é'], top: [{ id: '9', title: 'Nine' }] };
  await pages.collection.insertOne({ _id: 1, name: 'one', latest, at: new Date(5) } as never);
  const [page] = await findWithTexts<Page>(pages, { _id: 1 }, options).toArray();
  const ids = page?.latest?.ids;
  expect(page).toEqual({ _id: 1, name: 'one', latest: { ...latest, ids }, at: new Date(5) });
  expect(Array.isArray(ids)).toBe(false);
  expect([ids?.length, ids?.indexOf('é'), ids?.at(1), ids?.at(3)]).toEqual([3, 2, '8', undefined]);
});

test('a document without the array stays as it is', async () => {
  const pages = await openPages();
  const stored = [
    { _id: 1, name: 'none' },
    { _id: 2, name: 'null', latest: null },
    { _id: 3, name: 'other', latest: { day: '2026-05-04' } },
  ];
  await pages.collection.insertMany(stored as never[]);
  expect(await findWithTexts<Page>(pages, {}, options).sort({ _id: 1 }).toArray()).toEqual(stored);
});

test('documents can be read one after another, in several batches and with a projection', async () => {
  const pages = await openPages();
  const stored = Array.from({ length: 7 }, (_, n) => ({ _id: n, name: 'n', latest: { ids: [`id${n}`] } }));
  await pages.collection.insertMany(stored as never[]);
  const found: unknown[] = [];
  const projection = { 'latest.ids': 1 } as const;
  for await (const page of findWithTexts<Page>(pages, {}, { ...options, batchSize: 3, projection }))
    found.push([page.name, page.latest?.ids.at(0)]);
  expect(found).toEqual(stored.map(({ _id }) => [undefined, `id${_id}`]));
});
