import { createMetrics } from './metrics.ts';

async function read(metrics: ReturnType<typeof createMetrics>, name: string): Promise<string[]> {
  const text = await metrics.registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => !line.startsWith('#'));
}

test('each part of each service has one series per state', async () => {
  const metrics = createMetrics();
  const parts = [
    { name: 'database', state: 'OK' },
    { name: 'event bus', state: 'DEGRADED' },
  ];
  metrics.parts.add('shop', async () => parts);
  metrics.parts.add('gateway', async () => [{ name: 'stock', state: 'down' }]);
  expect(await read(metrics, 'shelfwise_part_state')).toEqual([
    'shelfwise_part_state{service="shop",part="database",state="ok"} 1',
    'shelfwise_part_state{service="shop",part="database",state="degraded"} 0',
    'shelfwise_part_state{service="shop",part="database",state="down"} 0',
    'shelfwise_part_state{service="shop",part="event bus",state="ok"} 0',
    'shelfwise_part_state{service="shop",part="event bus",state="degraded"} 1',
    'shelfwise_part_state{service="shop",part="event bus",state="down"} 0',
    'shelfwise_part_state{service="gateway",part="stock",state="ok"} 0',
    'shelfwise_part_state{service="gateway",part="stock",state="degraded"} 0',
    'shelfwise_part_state{service="gateway",part="stock",state="down"} 1',
  ]);
});

test('what one service cannot read hides nothing of another', async () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const metrics = createMetrics({ now: () => now });
  metrics.jobQueues.add('mails', () => Promise.reject(new Error('the database is away')));
  metrics.jobQueues.add('letters', async () => ({ due: 2, oldestDueAt: new Date(now.getTime() - 60_000) }));
  metrics.jobQueues.add('notes', async () => ({ due: 0, oldestDueAt: null }));
  expect(await read(metrics, 'shelfwise_jobs_due')).toEqual([
    'shelfwise_jobs_due{jobs="letters"} 2',
    'shelfwise_jobs_due{jobs="notes"} 0',
  ]);
  expect(await read(metrics, 'shelfwise_jobs_oldest_due_age_seconds')).toEqual([
    'shelfwise_jobs_oldest_due_age_seconds{jobs="letters"} 60',
    'shelfwise_jobs_oldest_due_age_seconds{jobs="notes"} 0',
  ]);
});

test('a database or broker that never answers delays a scrape by half a second, and what is known is shown', async () => {
  const metrics = createMetrics();
  const never = () => new Promise<never>(() => {});
  metrics.outboxes.add('shop', never);
  metrics.jobQueues.add('letters', never);
  metrics.eventGroups.add('bus', never);
  metrics.parts.add('shop', never);
  metrics.eventsPublished.inc({ topic: 't' });
  jest.useFakeTimers();
  try {
    let text: string | undefined;
    void metrics.registry.metrics().then((shown) => {
      text = shown;
    });
    await jest.advanceTimersByTimeAsync(499);
    expect(text).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(text).toContain('shelfwise_events_published_total{topic="t"} 1');
    expect(text).not.toMatch(/^shelfwise_(outbox|jobs|event_consumer|part)/m);
  } finally {
    jest.useRealTimers();
  }
});

test('what groups have left to do is shown by group and topic; what is not known is missing', async () => {
  const metrics = createMetrics();
  const lags = [{ topic: 't', lag: 3 }];
  metrics.eventGroups.add('bus', async () => [
    { group: 'a', lags, members: 2, deadLetters: null },
    { group: 'b', lags: [], members: null, deadLetters: 4 },
  ]);
  expect(await read(metrics, 'shelfwise_event_consumer_lag_events')).toEqual([
    'shelfwise_event_consumer_lag_events{group="a",topic="t"} 3',
  ]);
  expect(await read(metrics, 'shelfwise_event_consumers')).toEqual([
    'shelfwise_event_consumers{group="a"} 2',
  ]);
  expect(await read(metrics, 'shelfwise_dead_letters_waiting')).toEqual([
    'shelfwise_dead_letters_waiting{group="b"} 4',
  ]);
});

test('a process shows its version, and the metrics of Node.js when it is asked to', async () => {
  const metrics = createMetrics({ withProcess: true });
  expect(await read(metrics, 'shelfwise_build_info')).toEqual([
    `shelfwise_build_info{version="0.1.0",node="${process.versions.node}"} 1`,
  ]);
  const text = await metrics.registry.metrics();
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
    expect(text).toMatch(new RegExp(`^${name} `, 'm'));
});

test('without a port for metrics nothing watches the event loop', async () => {
  const names = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
  expect(names.filter((name) => !name.startsWith('shelfwise_'))).toEqual([]);
});
