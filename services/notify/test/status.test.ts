import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { ConfigError, readConfig } from '@shelfwise/runtime/process/config';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { notifyConfig } from '../src/config.ts';
import { allAlerts, createHarness, type Notify, publisher } from './start-notify.ts';

const { startNotify } = createHarness();

async function statusOf({ server }: Notify) {
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'notify',
    address: server.inProcess,
  });
  try {
    return (await client.getStatus({}, callWithin())).parts;
  } finally {
    close();
  }
}

test('the health page shows the database, and that events are received', async () => {
  expect(await statusOf(await startNotify())).toMatchObject([
    { name: 'database', state: 'OK', is_embedded: true },
    { name: 'received events', state: 'OK' },
    { name: 'deliveries', state: 'OK' },
  ]);
});

test('without an event bus the health page says that it hears nothing; rules and alerts are still served', async () => {
  const notify = await startNotify({ hasBus: false });
  expect((await statusOf(notify))[1]).toMatchObject({
    state: 'DEGRADED',
    detail: expect.stringMatching(/KAFKA_BROKERS.*receives no events and publishes no alerts/),
  });
  expect((await notify.client.listAlerts(allAlerts)).total).toBe(0);
  const rules = await notify.client.listAlertRules({ account_id: 'ann', page: 1, per_page: 50 });
  expect(rules.total).toBe(4);
});

test('with a lost database calls are SERVICE_UNAVAILABLE, and the part is down', async () => {
  const notify = await startNotify({ hasOwnConnection: true });
  await notify.connection.getClient().close();
  expect(await codeOf(notify.client.listAlerts(allAlerts))).toBe('SERVICE_UNAVAILABLE');
  expect((await statusOf(notify))[0]).toMatchObject({ name: 'database', state: 'DOWN' });
});

test('readings of live stores are not compared with those of the sample', async () => {
  const notify = await startNotify();
  const { trackApp, trackKeyword, takePage } = publisher(notify);
  await trackApp();
  await trackKeyword();
  await takePage(8, { 'app-1': 3 });
  await expect(takePage(9, { 'app-1': 40 }, { source: 'app-store' })).rejects.toThrow(/STORE_SOURCE/);
  expect((await notify.client.listAlerts(allAlerts)).total).toBe(0);
});

test('settings have defaults, and the only required one is named when it is missing', () => {
  expect(readConfig(notifyConfig, { MONGODB_URI: 'mongodb://db' })).toMatchObject({
    GRPC_ADDRESS: '127.0.0.1:50056',
    METRICS_HOST: '127.0.0.1',
  });
  expect(() => readConfig(notifyConfig, {})).toThrow(ConfigError);
  expect(() => readConfig(notifyConfig, {})).toThrow(/MONGODB_URI: is missing/);
});
