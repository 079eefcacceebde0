import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { useDatabase } from '../../../testing/use-database.ts';
import { storeFetchSchema } from '../src/schema.ts';
import { createStoreFetchServer } from '../src/server.ts';
import { createScriptedSource } from './scripted-source.ts';

const database = useDatabase(storeFetchSchema);

test('a stop refuses queued calls before the service drains', async () => {
  const events: string[] = [];
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } });
  const { connection } = await database.take();
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
});
