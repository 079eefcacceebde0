import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { ConfigError, readConfig } from '@shelfwise/runtime/config';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { until } from '../../../testing/manual-clock.ts';
import { chartConfig } from '../src/config.ts';
import { type Chart, createHarness, untilIdle, within } from './start-chart.ts';

const { startChart } = createHarness();
const none = 'counted at 09:00 UTC: 0 of 0 charts read today, 0 due, 0 late';

async function statusOf({ server }: Chart) {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'chart',
    address: server.address(),
  });
  try {
    return (await client.getStatus({}, within())).parts;
  } finally {
    close();
  }
}

test('the health page shows the database and the daily run', async () => {
  const chart = await startChart({ dailyRun: true });
  await untilIdle(chart.clock);
  expect(await statusOf(chart)).toEqual([
    { name: 'database', state: 'OK', detail: expect.stringMatching(/embedded/), is_embedded: true },
    { name: 'daily run', state: 'OK', detail: none, is_embedded: false },
  ]);
});

test('the health page shows the last count without waiting for a new one', async () => {
  const chart = await startChart({ dailyRun: true });
  await untilIdle(chart.clock);
  const counts = jest.spyOn(chart.connection.model('Chart'), 'countDocuments');
  expect((await statusOf(chart))[1]).toMatchObject({ state: 'OK', detail: none });
  expect(counts).not.toHaveBeenCalled();
});

test('a copy without the daily run says so', async () => {
  expect((await statusOf(await startChart()))[1]).toMatchObject({
    detail: 'not in this copy (DAILY_RUN=false)',
  });
});

test('with a lost database the health page shows it as down and the daily run as paused, without internal addresses', async () => {
  const chart = await startChart({ dailyRun: true });
  await untilIdle(chart.clock);
  await chart.connection.getClient().close();
  chart.clock.advance(5000);
  await until(async () => (await chart.server.checks['daily run']?.())?.state === 'DEGRADED');
  const parts = await statusOf(chart);
  expect(parts.map(({ state }) => state)).toEqual(['DOWN', 'DEGRADED']);
  expect(parts[1]?.detail).toMatch(/are not read until 09:00 UTC: The database does not answer/);
  expect(JSON.stringify(parts)).not.toMatch(/\.sock|mongodb:/);
});

test('the start names every missing setting', () => {
  const settings = { MONGODB_URI: 'mongodb://db', STORE_FETCH_ADDRESS: 'store-fetch:50052' };
  expect(readConfig(chartConfig, settings)).toEqual({
    ...settings,
    GRPC_ADDRESS: '127.0.0.1:50055',
    DAILY_RUN: true,
    LOG_LEVEL: 'info',
  });
  expect(() => readConfig(chartConfig, {})).toThrow(ConfigError);
  expect(() => readConfig(chartConfig, {})).toThrow(
    /MONGODB_URI: is missing\n.*STORE_FETCH_ADDRESS: is missing/,
  );
});
