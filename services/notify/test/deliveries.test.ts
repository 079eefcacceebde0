import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { answerStatus, createFakeReceivers, hang, ok } from './fake-receivers.ts';
import { allAlerts, createHarness, type Notify, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const host = 'hooks.example.com';

/** ann tracks keyword 7 for application 1; each drop is one alert for the channel. */
async function start(
  timing: 'HOURLY' | 'INSTANT' = 'INSTANT',
  options: Parameters<typeof startNotify>[0] = {},
) {
  const notify = await startNotify(options);
  const channels = useChannels(notify);
  await channels.track();
  const channel = await channels.create({ timing });
  await channels.sendDropsTo([channel.id]);
  return { notify, channel, ...notify, ...channels };
}

async function pass({ clock }: Pick<Notify, 'clock'>, ms: number): Promise<void> {
  clock.advance(ms);
  await untilIdle(clock);
}

test('the alerts of an hour are one delivery for each application, with the rows of the feed', async () => {
  const system = await start('HOURLY');
  const { drop, receivers, clock, client, channel, deliveries } = system;
  await drop(3);
  await pass(system, 40 * minuteMs);
  await drop(5);
  await pass(system, 20 * minuteMs - 1);
  expect(receivers.requests).toEqual([]);
  await pass(system, 1);
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(receivers.bodiesTo(host)).toEqual([
    {
      type: 'alerts',
      account_id: 'ann',
      events: alerts.map((alert) =>
        expect.objectContaining({ id: alert.id, kind: 'rank_drop', text: alert.text }),
      ),
    },
  ]);
  expect(receivers.bodiesTo(host)[0].events[0]).toEqual({
    id: 1,
    kind: 'rank_drop',
    at: '2026-03-10T09:00:00.000Z',
    rule_id: expect.any(Number),
    app: { id: 1, app_id: 'app-1', title: 'App 1' },
    keyword_id: 7,
    keyword: 'planner',
    before: 3,
    after: 40,
    evidence: {
      days: { before: '2026-03-02', after: '2026-03-03' },
      threshold: 1,
      ranks: [{ app_id: 'app-1', before: 3, after: 40 }],
      other_app: null,
      fields: [],
      is_confirmed: false,
      unread_keywords: null,
      store: null,
      channel: null,
      chart: null,
    },
    text: expect.stringContaining('App 1 fell for “planner”'),
  });
  expect(await deliveries(channel.id)).toEqual([
    {
      id: 1,
      channel_id: channel.id,
      webhook_id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      state: 'DELIVERED',
      is_test: false,
      digest_id: null,
      app_id: 1,
      alert_ids: [1, 2],
      tries: 1,
      created_at: clock.at,
      last_tried_at: clock.at,
      next_try_at: null,
      status: 200,
      duration_ms: 12,
      failure: null,
      answer: 'thanks',
    },
  ]);
});

test('an instant channel is sent to at once, a rule without channels to the feed only', async () => {
  const system = await start();
  const { drop, receivers, clock, list } = system;
  await drop(3);
  await untilIdle(clock);
  expect(receivers.bodiesTo(host).map(({ events }) => events.length)).toEqual([1]);
  expect((await list())[0]).toMatchObject({ last_success_at: clock.at, failing_since: null });
  await system.sendDropsTo([]);
  await drop(5);
  await pass(system, 24 * hourMs);
  expect(receivers.requests).toHaveLength(1);
});

test('a failed delivery is tried nine times with one id, then the next one goes, in order', async () => {
  const system = await start();
  const { drop, receivers, clock, channel, deliveries } = system;
  receivers.answers.set(host, answerStatus(500));
  await drop(3);
  await untilIdle(clock);
  await drop(5);
  await untilIdle(clock);
  expect(receivers.requests).toHaveLength(1);
  const delays = [5 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs];
  for (const [index, delay] of delays.entries()) {
    await pass(system, delay - 1);
    expect(receivers.requests).toHaveLength(index + 1);
    await pass(system, 1);
    expect(receivers.requests).toHaveLength(index + 2);
  }
  const [waiting] = await deliveries(channel.id);
  expect(waiting).toMatchObject({
    state: 'WAITING',
    tries: 8,
    status: 500,
    failure: 'The receiver answered with the status 500.',
    next_try_at: new Date(clock.at.getTime() + 24 * hourMs),
  });
  receivers.answers.set(host, (_, before) => (before === 8 ? answerStatus(503)() : ok()));
  await pass(system, 24 * hourMs);
  const ids = receivers.idsTo(host);
  expect(new Set(ids.slice(0, 9)).size).toBe(1);
  expect(ids).toHaveLength(10);
  expect(ids[9]).not.toBe(ids[0]);
  expect((await deliveries(channel.id)).map(({ state, alert_ids: alerts }) => [state, alerts])).toEqual([
    ['DELIVERED', [2]],
    ['FAILED', [1]],
  ]);
});

test('what was found while a receiver failed is sent after it, in the order of the feed', async () => {
  const system = await start();
  const { drop, receivers, clock } = system;
  receivers.answers.set(host, (_, before) => (before < 3 ? answerStatus(502)() : ok()));
  for (const day of [3, 5, 7, 9]) {
    await drop(day);
    await untilIdle(clock);
  }
  for (const delay of [5 * secondMs, minuteMs, 5 * minuteMs]) await pass(system, delay);
  const sent = receivers.bodiesTo(host).slice(3);
  expect(sent.map(({ events }) => events.map(({ id }: { id: number }) => id))).toEqual([[1], [2, 3, 4]]);
});

test('410 ends a channel; it is on again when its account says so, and gets only what is found from then on', async () => {
  const system = await start();
  const { drop, receivers, clock, channel, client, list, deliveries } = system;
  receivers.answers.set(host, answerStatus(410));
  await drop(3);
  await untilIdle(clock);
  expect((await list())[0]).toMatchObject({ off_reason: 'GONE', off_at: clock.at });
  expect((await deliveries(channel.id))[0]).toMatchObject({ state: 'FAILED', status: 410 });
  expect((await client.listAlerts(allAlerts)).alerts[0]).toMatchObject({
    kind: 'CHANNEL_OFF',
    app: null,
    evidence: { channel_id: channel.id, channel_name: 'My receiver', off_reason: 'GONE' },
    text: 'The channel “My receiver” is off: its receiver says that it is gone.',
  });
  await drop(5);
  await pass(system, 48 * hourMs);
  expect(receivers.requests).toHaveLength(1);
  receivers.answers.delete(host);
  await client.updateAlertChannel({
    account_id: 'ann',
    id: channel.id,
    is_enabled: true,
    rotates_secret: false,
  });
  await drop(7);
  await untilIdle(clock);
  // 1 was refused, 2 says that the channel is off, 3 was found while it was.
  expect(receivers.bodiesTo(host)[1].events.map(({ id }: { id: number }) => id)).toEqual([4]);
});

test('after five days without a success a channel is turned off; turned on, it goes on with what was found before', async () => {
  const system = await start();
  const { drop, receivers, clock, channel, client, list } = system;
  receivers.answers.set(host, answerStatus(500));
  await drop(3);
  await untilIdle(clock);
  const since = clock.at;
  expect((await list())[0]).toMatchObject({ off_reason: null, failing_since: since });
  for (let hour = 0; hour < 119; hour += 1) {
    await pass(system, hourMs);
    if (hour % 10 === 0) await drop(5 + (hour / 10) * 2);
  }
  expect((await list())[0]).toMatchObject({ off_reason: null, failing_since: since });
  for (let hour = 0; hour < 24; hour += 1) await pass(system, hourMs);
  expect((await list())[0]).toMatchObject({ off_reason: 'NO_SUCCESS' });
  const { alerts: published } = await client.listAlerts({ ...allAlerts, kind: 'CHANNEL_OFF' });
  expect(published).toMatchObject([{ evidence: { off_reason: 'NO_SUCCESS', day_before: '2026-03-10' } }]);
  const tried = receivers.requests.length;
  await pass(system, 48 * hourMs);
  expect(receivers.requests).toHaveLength(tried);
  receivers.answers.delete(host);
  await client.updateAlertChannel({
    account_id: 'ann',
    id: channel.id,
    is_enabled: true,
    rotates_secret: false,
  });
  await untilIdle(clock);
  expect(receivers.requests).toHaveLength(tried + 1);
  const idsOf = (index: number) => receivers.bodiesTo(host)[index].events.map(({ id }: { id: number }) => id);
  // What the last delivery did not have.
  expect(idsOf(tried)).toEqual([11, 12, 13].filter((id) => !idsOf(tried - 1).includes(id)));
});

test('a copy that dies between sending and marking loses nothing: another one sends it again with the same id', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const receivers = createFakeReceivers();
  const system = await start('INSTANT', { clock, receivers });
  const { drop, channel, database, deliveries } = system;
  // The receiver gets it; the copy never hears the answer, as after kill -9.
  receivers.answers.set(host, (post, before) => (before === 0 ? hang(post) : ok()));
  await drop(3);
  await until(() => receivers.requests.length === 1);
  await startNotify({ database, clock, receivers });
  await until(async () => {
    clock.advance(10 * secondMs);
    return receivers.requests.length === 2;
  });
  const [first, second] = receivers.idsTo(host);
  expect(second).toBe(first);
  await until(async () => (await deliveries(channel.id))[0]?.state === 'DELIVERED');
});

test('a crash between the plan and its rows loses no alert', async () => {
  const system = await start();
  const { drop, receivers, clock, channel, connection } = system;
  const planned = [
    { id: 900, webhook_id: 'msg_1', listing_id: 1, alert_ids: [1] },
    { id: 901, webhook_id: 'msg_2', listing_id: 1, alert_ids: [2] },
  ];
  await system.sendDropsTo([]);
  await drop(3);
  await drop(5);
  await connection
    .collection('alert_channels')
    .updateOne({ _id: channel.id as never }, { $set: { planned, last_alert: 2, due_at: clock.at } });
  await pass(system, minuteMs);
  await pass(system, minuteMs);
  expect(receivers.idsTo(host)).toEqual(['msg_1', 'msg_2']);
});

test('an alert that was published before a crash, and its channel not made due, is sent when the event comes again', async () => {
  const system = await start();
  const { takePage, receivers, clock, connection, bus, channel } = system;
  await takePage(2, { 'app-1': 3 });
  const channelRow = connection.collection('alert_channels');
  const pages = connection.collection('keyword_pages');
  const [kept] = await pages.find({}).toArray();
  // As if another copy had the channel, and then died.
  await channelRow.updateOne(
    { _id: channel.id as never },
    { $set: { claimed_by: 'gone', due_at: new Date('2026-04-01') } },
  );
  const event = await takePage(3, { 'app-1': 40 });
  await untilIdle(clock);
  expect(receivers.requests).toEqual([]);
  await channelRow.updateOne({ _id: channel.id as never }, { $unset: { claimed_by: '' } });
  await pages.replaceOne({}, { ...kept });
  await bus.redeliver(event);
  await untilIdle(clock);
  expect(receivers.bodiesTo(host).map(({ events }) => events.length)).toEqual([1]);
});

test('two copies share the channels: each alert is sent once, and in order for each channel', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const receivers = createFakeReceivers();
  const first = await startNotify({ clock, receivers });
  const channels = useChannels(first);
  await channels.track();
  const ids: number[] = [];
  for (let index = 0; index < 10; index += 1)
    ids.push((await channels.create({ url: `https://r${index}.example.com/x` })).id);
  await channels.sendDropsTo(ids);
  const second = await startNotify({ clock, receivers, database: first.database });
  const ofCopies = [channels, useChannels(second)];
  for (let day = 3, turn = 0; day < 27; day += 2, turn += 1) await ofCopies[turn % 2]?.drop(day);
  await untilIdle(clock, 2);
  clock.advance(minuteMs);
  await untilIdle(clock, 2);
  for (let index = 0; index < 10; index += 1) {
    const events = receivers
      .bodiesTo(`r${index}.example.com`)
      .flatMap(({ events: rows }) => rows.map(({ id }: { id: number }) => id));
    expect(events).toEqual(Array.from({ length: 12 }, (_, alert) => alert + 1));
    const sent = receivers.idsTo(`r${index}.example.com`);
    expect(new Set(sent).size).toBe(sent.length);
  }
});

test('receivers that hang delay no other account: neither many of one account, nor many accounts that failed before', async () => {
  const notify = await startNotify();
  const { receivers, clock } = notify;
  const channels = useChannels(notify);
  await channels.track();
  const ids: number[] = [];
  for (let index = 0; index < 20; index += 1) {
    ids.push((await channels.create({ url: `https://slow${index}.example.com/x` })).id);
    receivers.answers.set(`slow${index}.example.com`, hang);
  }
  await channels.sendDropsTo(ids);
  // Twenty accounts whose receivers failed at their last try.
  for (let index = 0; index < 20; index += 1) {
    const accountId = `failing${index}`;
    await channels.track(accountId);
    receivers.answers.set(`${accountId}.example.com`, (post, before) =>
      before === 0 ? answerStatus(500)() : hang(post),
    );
    const { id } = await channels.create({
      account_id: accountId,
      url: `https://${accountId}.example.com/x`,
    });
    await channels.sendDropsTo([id], accountId);
  }
  await channels.drop(3);
  await until(() => receivers.toHost('failing19.example.com').length === 1);
  clock.advance(6 * secondMs);
  await until(() => receivers.requests.length >= 2 + 20 + 16);
  await channels.track('bob');
  const { id } = await channels.create({ account_id: 'bob', url: 'https://bob.example.com/x' });
  await channels.sendDropsTo([id], 'bob');
  // Only time that passes would end what hangs, and none does.
  await channels.drop(5);
  await until(() => receivers.toHost('bob.example.com').length === 1);
  expect(receivers.requests.filter(({ url }) => url.includes('slow'))).toHaveLength(2);
});

test('receivers of many accounts that hang at their first try delay no receiver that has answered before', async () => {
  const notify = await startNotify();
  const { receivers, clock } = notify;
  const channels = useChannels(notify);
  await channels.track();
  const { id } = await channels.create();
  await channels.sendDropsTo([id]);
  await channels.drop(3);
  await untilIdle(clock);
  expect(receivers.toHost(host)).toHaveLength(1);
  for (let index = 0; index < 20; index += 1) {
    const accountId = `new${index}`;
    await channels.track(accountId);
    const ids: number[] = [];
    for (const which of ['a', 'b']) {
      const other = `${which}${index}.example.com`;
      receivers.answers.set(other, hang);
      ids.push((await channels.create({ account_id: accountId, url: `https://${other}/x` })).id);
    }
    await channels.sendDropsTo(ids, accountId);
  }
  await channels.drop(5);
  // Only time that passes would end what hangs, and none does.
  await until(() => receivers.toHost(host).length === 2);
  await until(() => receivers.requests.length >= 2 + 8);
  expect(receivers.requests).toHaveLength(2 + 8);
});

test('receivers of many accounts that were quick and all begin to hang hold their slots for two seconds only', async () => {
  const notify = await startNotify();
  const { receivers, clock } = notify;
  const channels = useChannels(notify);
  const hosts: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const accountId = `quick${index}`;
    await channels.track(accountId);
    const ids: number[] = [];
    for (const which of ['a', 'b', 'c']) {
      const one = `${which}${index}.example.com`;
      hosts.push(one);
      ids.push((await channels.create({ account_id: accountId, url: `https://${one}/x` })).id);
    }
    await channels.sendDropsTo(ids, accountId);
  }
  await channels.track('bob');
  const { id } = await channels.create({ account_id: 'bob', url: 'https://bob.example.com/x' });
  await channels.sendDropsTo([id], 'bob');
  await channels.drop(3);
  await untilIdle(clock);
  expect(receivers.requests).toHaveLength(61);
  for (const one of hosts) receivers.answers.set(one, hang);
  await channels.sendDropsTo([], 'bob');
  await channels.drop(5);
  await until(() => receivers.requests.length === 61 + 32);
  await channels.sendDropsTo([id], 'bob');
  await channels.drop(7);
  clock.advance(2 * secondMs);
  await until(() => receivers.toHost('bob.example.com').length === 2);
  // Two of each account have not ended: the third waits for them, and takes no slot of others.
  await until(() => receivers.requests.length === 61 + 40 + 1);
  clock.advance(2 * secondMs);
  await channels.drop(9);
  await until(() => receivers.toHost('bob.example.com').length === 3);
  expect(receivers.requests).toHaveLength(61 + 40 + 2);
});

test('a channel that is turned off gets nothing, and what was found meanwhile is in the feed only', async () => {
  const system = await start();
  const { drop, receivers, clock, channel, client } = system;
  const turn = (isEnabled: boolean) =>
    client.updateAlertChannel({
      account_id: 'ann',
      id: channel.id,
      is_enabled: isEnabled,
      rotates_secret: false,
    });
  await turn(false);
  await drop(3);
  await pass(system, 12 * hourMs);
  await turn(true);
  await untilIdle(clock);
  expect(receivers.requests).toEqual([]);
  await drop(5);
  await untilIdle(clock);
  expect(receivers.bodiesTo(host)[0].events.map(({ id }: { id: number }) => id)).toEqual([2]);
});

test('a new address is tried at once', async () => {
  const system = await start();
  const { drop, receivers, clock, channel, client } = system;
  receivers.answers.set(host, answerStatus(404));
  await drop(3);
  await untilIdle(clock);
  await client.updateAlertChannel({
    account_id: 'ann',
    id: channel.id,
    url: 'https://new.example.com/x',
    rotates_secret: false,
  });
  await untilIdle(clock);
  expect(receivers.idsTo('new.example.com')).toEqual(receivers.idsTo(host));
});

test('a stop gives a running send up, and the next start sends it again with the same id', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const receivers = createFakeReceivers();
  const system = await start('INSTANT', { clock, receivers });
  receivers.answers.set(host, (post, before) => (before === 0 ? hang(post) : ok()));
  await system.drop(3);
  await until(() => receivers.requests.length === 1);
  await system.stop();
  await startNotify({ database: system.database, clock, receivers });
  await until(() => receivers.requests.length === 2);
  const [first, second] = receivers.idsTo(host);
  expect(second).toBe(first);
});

test('deliveries are kept 30 days', async () => {
  const system = await start();
  const { drop, clock, channel, deliveries } = system;
  await drop(3);
  await untilIdle(clock);
  clock.moveTo('2026-04-09T08:59:00Z');
  await untilIdle(clock);
  expect(await deliveries(channel.id)).toHaveLength(1);
  clock.moveTo('2026-04-09T15:30:00Z');
  await until(async () => (await deliveries(channel.id)).length === 0);
});
