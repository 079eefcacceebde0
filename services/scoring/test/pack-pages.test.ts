import { useDatabase } from '../../../testing/use-database.ts';
import { packPages } from '../src/pack-pages.ts';
import { scoringSchema } from '../src/schema.ts';
import { packIds } from '../src/stores/packed-ids.ts';
import { toRanking } from '../src/stores/term.ts';
import { createTermStore } from '../src/stores/term-store.ts';
import { us } from './start-auditing.ts';

const database = useDatabase(scoringSchema);
const never = new AbortController().signal;

/** How many terms are more than one batch. */
const many = 450;
const readAt = new Date('2026-03-10T09:00:00Z');
const idsAt = (index: number) => [String(index), 'b'];

/** Terms with pages as an older version has left them, and one without a page. */
async function startOld() {
  const { connection } = await database.own();
  const terms = createTermStore(connection);
  const read = { day: '2026-03-10', read_at: readAt, source: 'sample' };
  const snapshotOf = (index: number) => ({
    storefront: us,
    keyword: `term ${index}`,
    ranking: toRanking(read, idsAt(index)),
    isDue: false,
  });
  await terms.saveSnapshots(
    Array.from({ length: many }, (_, index) => snapshotOf(index)),
    readAt,
  );
  await terms.model.collection.updateMany({}, { $unset: { 'ranking.packed_ids': '' } });
  await terms.model.collection.updateOne({ keyword: 'term 0' }, { $set: { ranking: null } });
  return { connection, terms };
}

test('pages that were kept before get the text of their ids, at most once', async () => {
  const { connection, terms } = await startOld();
  await packPages.run(connection, never);
  const packed = async () => {
    const rows = await terms.model.find({}).sort({ _id: 1 }).lean<{ keyword: string; ranking: object }[]>();
    return new Map(rows.map(({ keyword, ranking }) => [keyword, ranking]));
  };
  const after = await packed();
  expect([after.size, after.get('term 0')]).toEqual([many, null]);
  for (let index = 1; index < many; index += 1)
    expect(after.get(`term ${index}`)).toMatchObject({
      app_ids: idsAt(index),
      packed_ids: packIds(idsAt(index)),
    });
  await packPages.run(connection, never);
  expect(await packed()).toEqual(after);
});

test('a page that comes meanwhile stays as it was written', async () => {
  const { connection, terms } = await startOld();
  const { collection } = terms.model;
  const write = collection.bulkWrite.bind(collection);
  const newer = toRanking(
    { day: '2026-03-11', read_at: new Date('2026-03-11T09:00:00Z'), source: 'sample' },
    ['c'],
  );
  const { packed_ids: _, ...ofOlder } = { ...newer, app_ids: ['d'], first_ids: ['d'] };
  jest.spyOn(collection, 'bulkWrite').mockImplementationOnce((async (...args: Parameters<typeof write>) => {
    await collection.updateOne({ keyword: 'term 1' }, { $set: { ranking: newer } });
    await collection.updateOne({ keyword: 'term 10' }, { $set: { ranking: ofOlder } });
    return write(...args);
  }) as never);
  await packPages.run(connection, never);
  expect((await terms.find(us, 'term 1'))?.ranking).toEqual(newer);
  expect((await terms.find(us, 'term 10'))?.ranking).toEqual(ofOlder);
});

test('the index that is not read any more is dropped, the others stay', async () => {
  const { connection, terms } = await startOld();
  const keys = async () => (await terms.model.collection.indexes()).map(({ key }) => key);
  const before = await keys();
  await terms.model.collection.createIndex({ store: 1, country: 1, lang: 1, 'ranking.first_ids': 1 });
  expect(await keys()).toHaveLength(before.length + 1);
  await packPages.run(connection, never);
  expect(await keys()).toEqual(before);
});

test('a database without terms has nothing to pack', async () => {
  const { connection } = await database.own();
  await connection.dropDatabase();
  await packPages.run(connection, never);
  expect(await connection.listCollections()).toEqual([]);
});
