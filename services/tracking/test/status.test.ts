import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { ConfigError, readConfig } from '@shelfwise/runtime/process/config';
import { callWithin } from '../../../testing/call-within.ts';
import { trackingConfig } from '../src/config.ts';
import { createHarness, type Tracking } from './start-tracking.ts';

const { startTracking } = createHarness();

async function statusOf({ server }: Tracking) {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'tracking',
    address: server.inProcess,
  });
  try {
    return (await client.getStatus({}, callWithin())).parts;
  } finally {
    close();
  }
}

test('the health page shows the database and the events', async () => {
  expect(await statusOf(await startTracking())).toEqual([
    {
      name: 'database',
      state: 'OK',
      detail: expect.stringMatching(/embedded/),
      is_embedded: true,
      pause: null,
    },
    { name: 'events', state: 'OK', detail: '0 changes not published yet', is_embedded: false, pause: null },
    {
      name: 'daily run',
      state: 'OK',
      detail: 'not in this copy (DAILY_RUN=false)',
      is_embedded: false,
      pause: null,
    },
  ]);
});

test('without a bus the health page says that events stay in the database', async () => {
  const parts = await statusOf(await startTracking({ hasBus: false }));
  expect(parts[1]).toMatchObject({
    state: 'DEGRADED',
    detail: expect.stringMatching(/stay in the database/),
  });
});

const settings = { MONGODB_URI: 'mongodb://db', STORE_FETCH_ADDRESS: 'store-fetch:50052' };

test('a start names every missing or invalid setting', () => {
  expect(readConfig(trackingConfig, settings)).toMatchObject({
    ...settings,
    GRPC_ADDRESS: '127.0.0.1:50051',
    DAILY_RUN: true,
    SNAPSHOT_RETENTION_DAYS: null,
  });
  expect(() => readConfig(trackingConfig, {})).toThrow(ConfigError);
  expect(() => readConfig(trackingConfig, {})).toThrow(
    /MONGODB_URI: is missing\n.*STORE_FETCH_ADDRESS: is missing/,
  );
  expect(() => readConfig(trackingConfig, { ...settings, KAFKA_BROKERS: 'kafka' })).toThrow(
    /KAFKA_BROKERS: must be host:port/,
  );
});
