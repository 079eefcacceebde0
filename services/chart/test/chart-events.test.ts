import { codeOf } from '../../../testing/call-within.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createRecordingBus, messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { createHarness, topFree, untilIdle } from './start-chart.ts';

const { startChart } = createHarness();

const wanted = { store: 'ITUNES', country: 'US', category: '6007', collection: 'FREE' } as const;
const topic = 'notify.chart-wanted.v1';

test('the first reading of a chart on a day is published once, with its order', async () => {
  const bus = createRecordingBus();
  const { client, store, clock } = await startChart({ bus });
  store.setChart('OVERALL', ['3', '1', '2']);
  await Promise.all([client.getTopChart(topFree), client.getTopChart(topFree)]);
  await client.getTopChart(topFree);
  await until(() => bus.published.length === 1);
  expect(messagesOf(bus.published, 'chart.chart-taken.v1')).toEqual([
    {
      store: 'ITUNES',
      country: 'US',
      category: 'OVERALL',
      collection: 'FREE',
      day: '2026-03-10',
      read_at: clock.at,
      source: 'app-store',
      app_ids: ['3', '1', '2'],
    },
  ]);
  expect(bus.published[0]?.key).toBe('ITUNES:US:OVERALL:free');
});

test('a chart that cannot be read is not published, nor is the past of the sample', async () => {
  const bus = createRecordingBus();
  const { client, store, days } = await startChart({ bus });
  const work = store.fail();
  expect(await codeOf(client.getTopChart(topFree))).toBe('STORE_FETCH_FAILED');
  work();
  store.origin.source = 'sample';
  await client.getTopChart(topFree);
  await until(() => bus.published.length > 0);
  expect(await days()).toHaveLength(2);
  expect(messagesOf(bus.published, 'chart.chart-taken.v1').map(({ day }) => day)).toEqual(['2026-03-10']);
});

test('an event waits in the document of its snapshot while the bus is away', async () => {
  const bus = createRecordingBus();
  const { client, rows, stop } = await startChart({ bus });
  bus.fail = true;
  await client.getTopChart(topFree);
  expect((await rows('chart_snapshots'))[0]?.outbox_since).toBeDefined();
  bus.fail = false;
  await stop();
  expect(bus.published).toHaveLength(1);
});

test('without a bus no event is written', async () => {
  const { client, rows, server } = await startChart();
  await client.getTopChart(topFree);
  expect((await rows('chart_snapshots'))[0]).not.toHaveProperty('outbox');
  expect(Object.keys(server.checks)).not.toContain('events');
});

test('a chart that a rule wants is read once a day from that day on, and wanting it again changes nothing', async () => {
  const bus = createRecordingBus();
  const clock = createManualClock('2026-03-10T23:30:00Z');
  const { store, days, rows } = await startChart({ bus, clock, dailyRun: true });
  await untilIdle(clock);
  for (let time = 0; time < 2; time += 1) await bus.deliver(topic, 'ITUNES:US:6007:free', wanted);
  clock.advance(60_000);
  await untilIdle(clock);
  expect(await days()).toEqual(['ITUNES:US:6007:free:2026-03-10']);
  clock.moveTo('2026-03-11T23:30:00Z');
  await untilIdle(clock);
  await bus.deliver(topic, 'ITUNES:US:6007:free', wanted);
  await untilIdle(clock);
  expect(store.requests).toHaveLength(2);
  expect(await rows('charts')).toMatchObject([{ category: '6007', last_requested_at: clock.at }]);
});

test('a chart that no store has is refused', async () => {
  const bus = createRecordingBus();
  await startChart({ bus });
  await expect(bus.deliver(topic, 'x', { ...wanted, category: 'TOOLS' })).rejects.toThrow('category');
});
