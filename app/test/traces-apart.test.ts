import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { startTracedServices, type TracedServices } from './start-traced-services.ts';
import { expectPath, isWhole, storePath, traceOfTracking, writePath } from './tracking-trace.ts';
import { storefront } from './use-systems.ts';

let services: TracedServices | undefined;
afterEach(() => services?.kill());

test('services apart: one trace over the processes, which the event that waits for a bus continues', async () => {
  services = await startTracedServices();
  const { api, collector, mongodbUri } = services;
  expect((await api('POST', '/applications', { app_id: '700000001', ...storefront })).status).toBe(200);
  const spans = await collector.until((all) => isWhole(all, [writePath, storePath]));
  const trace = traceOfTracking(spans);
  expectPath(trace, writePath);
  expectPath(trace, storePath);
  const processes = new Set(trace.map(({ resource }) => resource['service.name']));
  expect([...processes].sort()).toEqual(['shelfwise-gateway', 'shelfwise-store-fetch', 'shelfwise-tracking']);

  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  const connection = await connectMongo({ uri: mongodbUri, database: 'shelfwise_tracking', logger });
  try {
    const row = await connection.collection('tracked_apps').findOne();
    const [event] = Object.values((row?.outbox ?? {}) as Record<string, { traceparent?: string }>);
    const server = trace.find(({ kind, name }) => kind === 'server' && name.endsWith('/TrackApplication'));
    expect(event?.traceparent).toBe(`00-${server?.traceId}-${server?.spanId}-01`);
  } finally {
    await connection.close();
  }
  await services.end();
});
