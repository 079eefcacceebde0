import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createStoreFetchServer } from '../src/server.ts';
import { createScriptedSource } from './scripted-source.ts';

const databaseUri = useDatabaseServer();

test('a stop refuses queued calls before the service drains', async () => {
  const events: string[] = [];
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } });
  const connection = await connectMongo({ uri: databaseUri(), database: 'store_fetch_stop', logger });
  const server = createStoreFetchServer({
    source: createScriptedSource(() => new Date()).source,
    checks: {},
    connection,
    isDatabaseEmbedded: true,
    now: () => new Date(),
    logger,
    metrics: createMetrics(),
    listenAddress: '127.0.0.1:0',
    refuseQueued: () => events.push('refused'),
  });
  await server.start();
  expect(events).toEqual([]);
  const stopped = server.stop().then(() => events.push('stopped'));
  expect(events).toEqual(['refused']);
  await stopped;
  await connection.dropDatabase();
  await connection.close();
});
