import { randomUUID } from 'node:crypto';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { connectMongo } from '../src/mongo/connect-mongo.ts';
import { createProvenanceStore } from '../src/mongo/provenance-store.ts';
import { createRecordingLogger } from './recording-logger.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const databaseUri = useDatabaseServer();

/** Stores of several copies of a service over one fresh database. */
async function openStores(count: number) {
  const { logger } = createRecordingLogger();
  const database = `provenance_${randomUUID().slice(0, 18)}`;
  const connections = await Promise.all(
    Array.from({ length: count }, () => connectMongo({ uri: databaseUri(), database, logger })),
  );
  closing.push(...connections.map((connection) => () => connection.close()));
  closing.push(async () => connections[0]?.dropDatabase());
  return connections.map((connection) => createProvenanceStore(connection));
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
