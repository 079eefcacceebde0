import { randomUUID } from 'node:crypto';
import { describeWithEngine } from '../../testing/engines.ts';
import { startTracedServices, type TracedServices } from './start-traced-services.ts';
import { eventPath, expectPath, isWhole, storePath, traceOfTracking, writePath } from './tracking-trace.ts';
import { storefront } from './use-systems.ts';

describeWithEngine('KAFKA_BROKERS', 'traces over Kafka', (brokers) => {
  let services: TracedServices | undefined;
  afterEach(() => services?.kill());

  test('services apart: one trace through the gateway, tracking, the event and scoring, each a process', async () => {
    services = await startTracedServices({
      KAFKA_BROKERS: brokers,
      KAFKA_TOPIC_PREFIX: `t${randomUUID().slice(0, 8)}.`,
      KAFKA_PARTITIONS: '1',
    });
    const { api, collector } = services;
    expect((await api('POST', '/applications', { app_id: '700000001', ...storefront })).status).toBe(200);
    const paths = [writePath, storePath, eventPath];
    const trace = traceOfTracking(await collector.until((all) => isWhole(all, paths)));
    for (const path of paths) expectPath(trace, path);
    const processOf = (name: string) => trace.find((span) => span.name === name)?.resource['service.name'];
    expect(processOf('POST /api/v1/applications')).toBe('shelfwise-gateway');
    expect(processOf('insert tracked_apps')).toBe('shelfwise-tracking');
    expect(processOf('call itunes-lookup')).toBe('shelfwise-store-fetch');
    expect(processOf('process tracking.application-tracked.v1')).toBe('shelfwise-scoring');
    expect(processOf('update watchers')).toBe('shelfwise-scoring');
    await services.end();
  });
});
