import { useDatabase } from '../../testing/use-database.ts';
import { createProvenanceStore } from '../src/mongo/schema/provenance-store.ts';

const database = useDatabase({ database: 'provenance', createModels: () => {}, migrations: [] });

/** Stores of several copies of a service over one database, which has none of the facts of the tests. */
async function openStores(count: number) {
  const { name, connection } = await database.take();
  const others = await Promise.all(Array.from({ length: count - 1 }, () => database.join(name)));
  return [connection, ...others.map((other) => other.connection)].map(createProvenanceStore);
}

test('a fact that was never set is null', async () => {
  const [store] = await openStores(1);
  expect(await store?.find('color')).toBeNull();
});

test('the first value of a fact stays, and later writers get it back', async () => {
  const [first, second] = await openStores(2);
  expect(await first?.setIfAbsent('color', 'red')).toBe('red');
  expect(await second?.setIfAbsent('color', 'blue')).toBe('red');
  expect(await second?.find('color')).toBe('red');
});

test('facts are independent of each other', async () => {
  const [store] = await openStores(1);
  await store?.setIfAbsent('color', 'red');
  expect(await store?.setIfAbsent('shape', 'round')).toBe('round');
  expect(await store?.find('color')).toBe('red');
});

test('copies that set a fact at once agree on one value', async () => {
  const stores = await openStores(8);
  const values = await Promise.all(stores.map((store, copy) => store.setIfAbsent('color', `color ${copy}`)));
  expect(new Set(values).size).toBe(1);
  expect(await stores[0]?.find('color')).toBe(values[0]);
});
