import { randomUUID } from 'node:crypto';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createRecordingLogger } from '../../runtime/test/recording-logger.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { createSourceGuard } from '../src/source-guard.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const databaseUri = useDatabaseServer();

/** Independent guards over one fresh database, as in separate processes. */
async function startGuards(count: number) {
  const { logger } = createRecordingLogger();
  const database = `runtime_${randomUUID().slice(0, 18)}`;
  const connection = await connectMongo({ uri: databaseUri(), database, logger });
  closing.push(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  return Array.from({ length: count }, () => createSourceGuard({ connection: connection.useDb(database) }));
}

test('the first reading decides for good which kind a database holds, in every process', async () => {
  const [first, second] = await startGuards(2);
  await first?.admit('app-store');
  await first?.admit('google-play');
  await expect(first?.admit('sample')).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  await second?.admit('google-play');
  await expect(second?.admit('sample')).rejects.toThrow(
    /readings of live stores, .* reads the sample catalog/,
  );
});

test('processes that start on a fresh database at once agree on one kind', async () => {
  const guards = await startGuards(8);
  const sources = guards.map((_, index) => (index % 2 === 0 ? 'sample' : 'app-store'));
  const ended = await Promise.allSettled(guards.map((guard, index) => guard.admit(sources[index] ?? '')));
  const admitted = sources.filter((_, index) => ended[index]?.status === 'fulfilled');
  expect(admitted).toHaveLength(4);
  expect(new Set(admitted).size).toBe(1);
});
