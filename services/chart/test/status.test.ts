import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { ConfigError, readConfig } from '@shelfwise/runtime/config';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import { chartConfig } from '../src/config.ts';
import { type Chart, createHarness, within } from './start-chart.ts';

const { startChart } = createHarness();

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
  expect(await statusOf(await startChart({ dailyRun: true }))).toEqual([
    { name: 'database', state: 'OK', detail: expect.stringMatching(/embedded/), is_embedded: true },
    { name: 'daily run', state: 'OK', detail: '0 of 0 charts read today, 0 due, 0 late', is_embedded: false },
  ]);
});

test('a copy without the daily run says so', async () => {
  expect((await statusOf(await startChart()))[1]).toMatchObject({
    detail: 'not in this copy (DAILY_RUN=false)',
  });
});

test('a database that is away is down, and no inner address is told', async () => {
  const chart = await startChart({ dailyRun: true });
  await chart.connection.getClient().close();
  const parts = await statusOf(chart);
  expect(parts.map(({ state }) => state)).toEqual(['DOWN', 'DOWN']);
  expect(JSON.stringify(parts)).not.toMatch(/\.sock|mongodb:/);
});

test('a start names every setting that is missing', () => {
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
