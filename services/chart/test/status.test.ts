import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { ConfigError, readConfig } from '@shelfwise/runtime/process/config';
import { callWithin } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { chartConfig } from '../src/config.ts';
import { type Chart, createHarness, untilIdle } from './start-chart.ts';

const { startChart } = createHarness();
/** What the health page says about the daily run of an empty database. */
const emptyCount = 'counted at 09:00 UTC: 0 of 0 charts read today, 0 due, 0 late';

async function statusOf({ server }: Chart) {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'chart',
    address: server.address(),
  });
  try {
    return (await client.getStatus({}, callWithin())).parts;
  } finally {
    close();
  }
}

test('the health page shows the database and the daily run', async () => {
  const chart = await startChart({ dailyRun: true, isRemote: true });
  await untilIdle(chart.clock);
  expect(await statusOf(chart)).toEqual([
    {
      name: 'database',
      state: 'OK',
      detail: expect.stringMatching(/embedded/),
      is_embedded: true,
      pause: null,
    },
    { name: 'daily run', state: 'OK', detail: emptyCount, is_embedded: false, pause: null },
  ]);
});

test('the health page shows the last count without querying the database', async () => {
  const chart = await startChart({ dailyRun: true, isRemote: true });
  await untilIdle(chart.clock);
  const countQueries = jest.spyOn(chart.connection.model('Chart'), 'countDocuments');
  expect((await statusOf(chart))[1]).toMatchObject({ state: 'OK', detail: emptyCount });
  expect(countQueries).not.toHaveBeenCalled();
});

test('the health page of a copy that takes no part in the daily run says so', async () => {
  expect((await statusOf(await startChart({ isRemote: true })))[1]).toMatchObject({
    detail: 'not in this copy (DAILY_RUN=false)',
  });
});

test('when the database is lost, the health page shows it as down and the daily run as paused, without addresses', async () => {
  const chart = await startChart({ dailyRun: true, isRemote: true });
  await untilIdle(chart.clock);
  await chart.connection.getClient().close();
  // An idle worker looks once a minute.
  chart.clock.advance(60_000);
  await until(async () => (await chart.server.checks['daily run']?.())?.state === 'DEGRADED');
  const parts = await statusOf(chart);
  expect(parts.map(({ state }) => state)).toEqual(['DOWN', 'DEGRADED']);
  // The pause of 15 s ends in the same minute.
  expect(parts[1]?.detail).toMatch(/are not read until 09:01 UTC: The database does not answer/);
  expect(JSON.stringify(parts)).not.toMatch(/\.sock|mongodb:/);
});

test('settings have defaults, and one error names every missing required setting', () => {
  const settings = { MONGODB_URI: 'mongodb://db', STORE_FETCH_ADDRESS: 'store-fetch:50052' };
  expect(readConfig(chartConfig, settings)).toEqual({
    ...settings,
    GRPC_ADDRESS: '127.0.0.1:50055',
    GRPC_INSECURE: false,
    KAFKA_PARTITIONS: 12,
    KAFKA_TLS: false,
    EVENT_RETENTION_DAYS: 7,
    MONGODB_PREFIX: '',
    DAILY_RUN: true,
    SNAPSHOT_RETENTION_DAYS: null,
    METRICS_HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    OTEL_SDK_DISABLED: false,
    OTEL_TRACES_EXPORTER: 'otlp',
  });
  expect(() => readConfig(chartConfig, {})).toThrow(ConfigError);
  expect(() => readConfig(chartConfig, {})).toThrow(
    /MONGODB_URI: is missing\n.*STORE_FETCH_ADDRESS: is missing/,
  );
});
