import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { createStoreFetchServer } from '../src/server.ts';
import { createScriptedSource } from './scripted-source.ts';

test('at the stop those who wait for a turn are refused before the service drains', async () => {
  const told: string[] = [];
  const server = createStoreFetchServer({
    source: createScriptedSource(() => new Date()).source,
    checks: {},
    logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } }),
    metrics: createMetrics(),
    listenAddress: '127.0.0.1:0',
    contracts: null,
    refuseWaiting: () => told.push('refused'),
  });
  await server.start();
  expect(told).toEqual([]);
  const stopped = server.stop().then(() => told.push('stopped'));
  expect(told).toEqual(['refused']);
  await stopped;
});
