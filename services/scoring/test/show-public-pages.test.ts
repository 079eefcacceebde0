import { useDatabase } from '../../../testing/use-database.ts';
import { scoringSchema } from '../src/schema.ts';
import { showPublicPages } from '../src/show-public-pages.ts';
import { toRanking } from '../src/stores/term.ts';
import { createTermStore } from '../src/stores/term-store.ts';
import { us } from './start-auditing.ts';

const database = useDatabase(scoringSchema);
const never = new AbortController().signal;
/** More than one batch. */
const many = 450;
const readAt = new Date('2026-03-10T09:00:00Z');
const score = { traffic: 40, difficulty: 30, is_partial: false, search_status: 'searched', results: 2 };

/** Terms as an older version has left them: every second one is public, and one has no page. */
async function startOld() {
  const { connection } = await database.own();
  const terms = createTermStore(connection);
  const read = { day: '2026-03-10', read_at: readAt, source: 'sample' };
  await terms.saveSnapshots(
    Array.from({ length: many }, (_, index) => ({
      storefront: us,
      keyword: `term ${index}`,
      ranking: toRanking(read, ['a', String(index)]),
      isDue: false,
    })),
    readAt,
  );
  const { collection } = terms.model;
  const publicKeywords = Array.from({ length: many / 2 }, (_, at) => `term ${2 * at}`);
  await collection.updateMany({}, { $set: { score } });
  await collection.updateMany(
    { keyword: { $in: publicKeywords } },
    { $set: { is_public: true, public_until: readAt } },
  );
  await collection.updateOne({ keyword: 'term 0' }, { $set: { ranking: null } });
  const shown = async () => {
    const rows = await terms.model
      .find({})
      .lean<{ keyword: string; public_page?: { first_ids: string[] } }[]>();
    return new Map(rows.flatMap(({ keyword, public_page: page }) => (page ? [[keyword, page]] : [])));
  };
  return { connection, terms, shown };
}

test('what is kept of public terms is seen as before, and is not replaced again', async () => {
  const { connection, terms, shown } = await startOld();
  await showPublicPages.run(connection, never);
  const after = await shown();
  expect(after.size).toBe(many / 2 - 1);
  expect([after.has('term 0'), after.has('term 1')]).toEqual([false, false]);
  expect(after.get('term 2')).toMatchObject({
    day: '2026-03-10',
    shown_at: readAt,
    first_ids: ['a', '2'],
    packed_ids: '2\na\n2\n',
    score,
  });
  await terms.model.collection.updateMany({}, { $set: { 'score.traffic': 50 } });
  await showPublicPages.run(connection, never);
  expect(await shown()).toEqual(after);
});

test('the index by which copies of the version before read stays', async () => {
  const { connection, terms } = await startOld();
  const keys = async () => (await terms.model.collection.indexes()).map(({ key }) => key);
  const old = { store: 1, country: 1, lang: 1, 'ranking.first_ids': 1, is_public: 1 } as const;
  await terms.model.collection.createIndex(old);
  await showPublicPages.run(connection, never);
  expect(await keys()).toContainEqual(old);
});

test('a database without terms has no pages', async () => {
  const { connection } = await database.own();
  await connection.dropDatabase();
  await showPublicPages.run(connection, never);
  expect(await connection.listCollections()).toEqual([]);
});
