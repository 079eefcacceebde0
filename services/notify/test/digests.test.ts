import { maxDigests } from '@shelfwise/facts/alerts/digests';
import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { createStores } from '../src/create-stores.ts';
import { createAlertDigest, updateAlertDigest } from '../src/handlers/alert-digests.ts';
import type { DigestStore } from '../src/stores/digest-store.ts';
import { answerStatus, createFakeReceivers, ok } from './fake-receivers.ts';
import { createSmtpHarness } from './smtp-server.ts';
import { createHarness, type Notify, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();
const { startSmtp } = createSmtpHarness();

const host = 'hooks.example.com';
const daily = { account_id: 'ann', every: 'DAY', hour: 7, time_zone: 'UTC' } as const;
const page = { account_id: 'ann', page: 1, per_page: 50 };

/** ann tracks keyword 7 for application 1; its drops are in the feed, and every morning in a digest. It is 10 March, 9:00. */
async function start(options: Parameters<typeof startNotify>[0] = {}) {
  const notify = await startNotify(options);
  const channels = useChannels(notify);
  await channels.track();
  const channel = await channels.create();
  await channels.sendDropsTo([]);
  const { digest } = await notify.client.createAlertDigest({ ...daily, channel_id: channel.id });
  if (!digest) throw new Error('no digest');
  return { notify, channel, digest, ...notify, ...channels };
}

async function moveTo({ clock }: Pick<Notify, 'clock'>, time: string, copies = 1): Promise<void> {
  clock.moveTo(time);
  await untilIdle(clock, copies);
}

test('a digest has what the feed has had since the last one, by part; nothing is sent when there was nothing', async () => {
  const system = await start();
  const { drop, receivers, channel, digest, client, deliveries, takePage } = system;
  expect(digest).toEqual({
    id: 1,
    channel_id: channel.id,
    every: 'DAY',
    hour: 7,
    time_zone: 'UTC',
    app_id: null,
    next_at: new Date('2026-03-11T07:00:00Z'),
    last_due_at: null,
    created_at: new Date('2026-03-10T09:00:00Z'),
  });
  await client.createAlertRule({
    account_id: 'ann',
    kind: 'LEFT_TOP',
    keywords: null,
    is_enabled: true,
    channel_ids: [],
  });
  await drop(3);
  await moveTo(system, '2026-03-11T06:59:59Z');
  expect(receivers.requests).toEqual([]);
  await moveTo(system, '2026-03-11T07:00:00Z');
  const [first] = receivers.bodiesTo(host);
  expect(first).toMatchObject({
    type: 'digest',
    account_id: 'ann',
    digest_id: digest.id,
    from: '2026-03-10T09:00:00.000Z',
    to: '2026-03-11T07:00:00.000Z',
    total: 2,
    movers: [{ id: 1, kind: 'rank_drop', text: expect.any(String) }],
    entered_and_left: [{ id: 2, kind: 'left_top' }],
    listing_changes: [],
    unread: [],
  });
  expect((await deliveries(channel.id))[0]).toMatchObject({
    state: 'DELIVERED',
    digest_id: digest.id,
    is_test: false,
    alert_ids: [1, 2],
  });
  await moveTo(system, '2026-03-13T07:00:00Z');
  expect(receivers.requests).toHaveLength(1);
  await takePage(12, { 'app-1': 3 });
  await takePage(13, { 'app-1': 40 });
  await moveTo(system, '2026-03-14T07:00:00Z');
  expect(receivers.bodiesTo(host)[1]).toMatchObject({
    from: '2026-03-13T07:00:00.000Z',
    to: '2026-03-14T07:00:00.000Z',
    total: 2,
  });
});

test('after a long stop one digest has all of it', async () => {
  const system = await start();
  await system.drop(3);
  await system.drop(5);
  await moveTo(system, '2026-03-20T12:00:00Z');
  expect(system.receivers.bodiesTo(host).map(({ total }) => total)).toEqual([2]);
  const { digests } = await system.client.listAlertDigests(page);
  expect(digests[0]).toMatchObject({
    next_at: new Date('2026-03-21T07:00:00Z'),
    last_due_at: new Date('2026-03-11T07:00:00Z'),
  });
});

test('a digest of another application has none of it', async () => {
  const system = await start();
  const { client, digest, drop, receivers } = system;
  const update = { account_id: 'ann', id: digest.id };
  await client.updateAlertDigest({ ...update, app: { app_id: 99 } });
  await drop(3);
  await moveTo(system, '2026-03-11T07:00:00Z');
  expect(receivers.requests).toEqual([]);
});

test('two copies send it once', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const receivers = createFakeReceivers();
  const system = await start({ clock, receivers });
  await startNotify({ clock, receivers, database: system.database });
  for (let day = 11; day < 16; day += 1) {
    await system.takePage(2 * day - 20, { 'app-1': 3 });
    await system.takePage(2 * day - 19, { 'app-1': 40 });
    await moveTo(system, `2026-03-${day}T07:00:00Z`, 2);
  }
  expect(receivers.bodiesTo(host).map(({ total }) => total)).toEqual([1, 1, 1, 1, 1]);
  expect(new Set(receivers.idsTo(host)).size).toBe(5);
});

test('a crash between the plan and its delivery loses none and makes no second one', async () => {
  const system = await start();
  const { connection, drop, receivers, clock, deliveries, channel } = system;
  await drop(3);
  await moveTo(system, '2026-03-11T07:00:00Z');
  const [sent] = await deliveries(channel.id);
  const { _id: id, ...row } = (await connection.collection('alert_deliveries').findOne({})) ?? {};
  // As kill -9 leaves it: the plan is written, the rest is not.
  await connection.collection('alert_deliveries').deleteMany({});
  await connection.collection('alert_digests').updateOne({}, {
    $set: {
      planned: { ...row, id, state: 'waiting', next_try_at: clock.at },
      next_at: clock.at,
      due_at: clock.at,
    },
  } as object);
  for (let repeat = 0; repeat < 2; repeat += 1) {
    clock.advance(60_000);
    await untilIdle(clock);
  }
  expect(receivers.idsTo(host)).toEqual([sent?.webhook_id, sent?.webhook_id]);
  expect(await deliveries(channel.id)).toHaveLength(1);
});

test('a plan that was left by a change of the digest is no reason to leave out the next one', async () => {
  const system = await start();
  const { connection, drop, receivers, deliveries, channel } = system;
  await drop(3);
  await moveTo(system, '2026-03-11T07:00:00Z');
  const { _id: id, ...row } = (await connection.collection('alert_deliveries').findOne({})) ?? {};
  await connection.collection('alert_digests').updateOne({}, { $set: { planned: { ...row, id } } } as object);
  await drop(5);
  await moveTo(system, '2026-03-12T07:00:00Z');
  expect(receivers.bodiesTo(host).map(({ to }) => to)).toEqual([
    '2026-03-11T07:00:00.000Z',
    '2026-03-12T07:00:00.000Z',
  ]);
  expect(await deliveries(channel.id)).toHaveLength(2);
});

test('a receiver that fails gets it again with the same id, and it waits its turn in the channel', async () => {
  const system = await start();
  const { receivers, drop, clock } = system;
  receivers.answers.set(host, (_, before) => (before === 0 ? answerStatus(500)() : ok()));
  await drop(3);
  await moveTo(system, '2026-03-11T07:00:00Z');
  clock.advance(5000);
  await untilIdle(clock);
  const [first, second] = receivers.idsTo(host);
  expect(second).toBe(first);
  expect(receivers.requests).toHaveLength(2);
});

test('while its channel is off nothing is sent, and later ones have what came since', async () => {
  const system = await start();
  const { client, channel, drop, receivers } = system;
  const turn = (isEnabled: boolean) =>
    client.updateAlertChannel({
      account_id: 'ann',
      id: channel.id,
      is_enabled: isEnabled,
      rotates_secret: false,
    });
  await turn(false);
  await drop(3);
  await moveTo(system, '2026-03-11T07:00:00Z');
  await turn(true);
  await drop(5);
  await moveTo(system, '2026-03-12T07:00:00Z');
  expect(receivers.bodiesTo(host).map(({ movers }) => movers.map(({ id }: { id: number }) => id))).toEqual([
    [2],
  ]);
});

test('by Slack it is text; by mail both forms have the same parts', async () => {
  const smtp = await startSmtp();
  const system = await start({ mail: smtp.mail });
  const { client, create, drop, receivers } = system;
  const slack = await create({ type: 'SLACK', url: 'https://slack.example.com/x' });
  const mail = await create({ type: 'EMAIL', url: 'mailto:ann@example.com' });
  const token = /confirm\/(\S+)/.exec(smtp.mails[0]?.text ?? '')?.[1] ?? '';
  await client.confirmAlertChannel({ token });
  for (const { id } of [slack, mail]) await client.createAlertDigest({ ...daily, channel_id: id });
  await drop(3);
  await moveTo(system, '2026-03-11T07:00:00Z');
  await until(() => smtp.mails.length === 2);
  const [{ text }] = receivers.bodiesTo('slack.example.com');
  expect(text).toMatch(
    /^1 alert from 2026-03-10 09:00 to 2026-03-11 07:00 UTC:\nRanks that moved:\nApp 1 fell/,
  );
  const received = smtp.mails[1];
  expect(received?.headers.subject).toContain('1 alert from');
  for (const form of [received?.text, received?.html])
    for (const words of ['Ranks that moved', 'rank 3 on 2026-03-02', 'App 1 fell'])
      expect(form).toContain(words);
  expect(received?.text).not.toContain('Listings that changed');
});

test('an account has at most 20, however many calls create at the same time; those of a deleted channel are deleted', async () => {
  const { client, channel } = await start();
  const create = () => client.createAlertDigest({ ...daily, channel_id: channel.id });
  for (let count = 1; count < maxDigests - 1; count += 1) await create();
  expect(await countCodes(Array.from({ length: 4 }, create))).toEqual({ OK: 1, PLAN_LIMIT: 3 });
  expect((await client.listAlertDigests(page)).total).toBe(maxDigests);
  await client.deleteAlertChannel({ account_id: 'ann', id: channel.id });
  expect((await client.listAlertDigests(page)).total).toBe(0);
});

test('a channel that is deleted while a digest is written for it leaves no digest', async () => {
  const { client, connection, channel, digest, create, clock } = await start();
  const other = await create();
  const { digests, channels, alerts } = createStores(connection);
  const removing =
    <Arguments extends unknown[], Result>(
      channelId: number,
      write: (...given: Arguments) => Promise<Result>,
    ) =>
    async (...given: Arguments) => {
      await client.deleteAlertChannel({ account_id: 'ann', id: channelId });
      return write(...given);
    };
  const depsWith = (changed: Partial<DigestStore>) => ({
    digests: { ...digests, ...changed },
    channels,
    alerts,
    forgetDeletedAccounts: async () => [],
    wakeDigests: () => {},
    now: clock.now,
  });
  const total = async () => (await client.listAlertDigests(page)).total;
  const moving = depsWith({ update: removing(other.id, digests.update) });
  const move = { account_id: 'ann', id: digest.id, app: null, channel_id: other.id };
  expect(await codeOf(updateAlertDigest(moving, move))).toBe('INVALID_PARAMS');
  expect(await total()).toBe(0);
  const adding = depsWith({ create: removing(channel.id, digests.create) });
  const added = createAlertDigest(adding, { ...daily, channel_id: channel.id });
  expect(await codeOf(added)).toBe('INVALID_PARAMS');
  expect(await total()).toBe(0);
});

test('wrong values, and channels and digests of other accounts, are refused', async () => {
  const { client, channel, digest, create } = await start();
  const bobs = await create({ account_id: 'bob' });
  const right = { ...daily, channel_id: channel.id };
  for (const wrong of [
    { channel_id: bobs.id },
    { hour: 24 },
    { time_zone: 'Europe/Atlantis' },
    { every: 'UNSPECIFIED' as const },
  ])
    expect(await codeOf(client.createAlertDigest({ ...right, ...wrong }))).toBe('INVALID_PARAMS');
  const ofBob = { account_id: 'bob', id: digest.id };
  expect(await codeOf(client.updateAlertDigest({ ...ofBob, app: null, hour: 8 }))).toBe('NOT_FOUND');
  expect(await client.deleteAlertDigest(ofBob)).toMatchObject({ already_removed: true });
  const changed = await client.updateAlertDigest({
    account_id: 'ann',
    id: digest.id,
    app: null,
    every: 'WEEK',
    time_zone: 'Europe/Berlin',
  });
  expect(changed.digest).toMatchObject({ every: 'WEEK', hour: 7, next_at: new Date('2026-03-16T06:00:00Z') });
  const ofAnn = { account_id: 'ann', id: digest.id };
  expect(await client.deleteAlertDigest(ofAnn)).toMatchObject({ already_removed: false });
});
