import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { answerStatus, ok } from './fake-receivers.ts';
import { createHarness, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();
const host = 'hooks.example.com';

async function start() {
  const notify = await startNotify();
  const channels = useChannels(notify);
  const channel = await channels.create();
  return {
    notify,
    channel,
    ...notify,
    ...channels,
    test: () => notify.client.testAlertChannel({ account_id: 'ann', id: channel.id }),
  };
}

test('the address of a receiver is in no row and no reply, also when its answer repeats it', async () => {
  const { notify, create, receivers, deliveries } = await start();
  const path = '/services/T0A1B2C3D/aBcDeFgHiJkLmNoPqRsTuVwX';
  receivers.answers.set(host, () => ({ ...ok(), status: 404, answer: `Cannot POST ${path}` }));
  const { id } = await create({ type: 'SLACK', url: `https://${host}${path}` });
  const { delivery } = await notify.client.testAlertChannel({ account_id: 'ann', id });
  expect(delivery?.answer).toBe('Cannot POST [cut]');
  expect(await deliveries(id)).toEqual([delivery]);
  const rows = await notify.connection.collection('alert_deliveries').find({}).toArray();
  expect(rows.map(({ answer }) => answer)).toEqual(['Cannot POST [cut]']);
});

test('a test is sent once and replies with what the receiver answered', async () => {
  const { receivers, channel, test: sendTest, deliveries, list, clock } = await start();
  receivers.answers.set(host, answerStatus(404));
  const { delivery } = await sendTest();
  expect(delivery).toMatchObject({
    state: 'FAILED',
    is_test: true,
    alert_ids: [],
    app_id: null,
    status: 404,
    failure: 'The receiver answered with the status 404.',
    answer: 'no',
    next_try_at: null,
  });
  expect(receivers.bodiesTo(host)).toEqual([{ type: 'test', account_id: 'ann', events: [] }]);
  expect(await deliveries(channel.id)).toEqual([delivery]);
  expect((await list())[0]).toMatchObject({ last_success_at: null, failing_since: null });
  receivers.answers.delete(host);
  expect((await sendTest()).delivery).toMatchObject({ state: 'DELIVERED' });
  expect((await list())[0]).toMatchObject({ last_success_at: clock.at });
});

test('a failed delivery is sent again on request, with its id and its alerts', async () => {
  const { receivers, channel, client, clock, track, sendDropsTo, drop, deliveries } = await start();
  await track();
  await sendDropsTo([channel.id]);
  receivers.answers.set(host, (_, before) => (before < 2 ? answerStatus(500)() : ok()));
  await drop(3);
  await untilIdle(clock);
  const [waiting] = await deliveries(channel.id);
  const redeliver = () => client.redeliverAlerts({ account_id: 'ann', id: waiting?.id ?? 0 });
  expect((await redeliver()).delivery).toEqual({ ...waiting, last_tried_at: clock.at });
  expect((await redeliver()).delivery).toMatchObject({
    state: 'DELIVERED',
    next_try_at: null,
    tries: 1,
    status: 200,
  });
  expect(new Set(receivers.idsTo(host)).size).toBe(1);
  // Nothing is left to try.
  clock.advance(86_400_000);
  await untilIdle(clock);
  expect(receivers.requests).toHaveLength(3);
});

test('an account has ten tests and redeliveries an hour, however many calls come at the same time', async () => {
  const { test: sendTest, receivers, clock, client, create } = await start();
  expect(await countCodes(Array.from({ length: 13 }, sendTest))).toEqual({ OK: 10, PLAN_LIMIT: 3 });
  expect(receivers.requests).toHaveLength(10);
  expect(await codeOf(client.redeliverAlerts({ account_id: 'ann', id: 1 }))).toBe('PLAN_LIMIT');
  const bobs = await create({ account_id: 'bob' });
  expect(await codeOf(client.testAlertChannel({ account_id: 'bob', id: bobs.id }))).toBe('OK');
  clock.moveTo('2026-03-10T10:00:00Z');
  expect(await codeOf(sendTest())).toBe('OK');
});

test('another account’s delivery, and one that does not exist, are not found', async () => {
  const { client, test: sendTest } = await start();
  const { delivery } = await sendTest();
  expect(await codeOf(client.redeliverAlerts({ account_id: 'bob', id: delivery?.id ?? 0 }))).toBe(
    'NOT_FOUND',
  );
  expect(await codeOf(client.redeliverAlerts({ account_id: 'ann', id: 999 }))).toBe('NOT_FOUND');
});
