import { maxAlertChannels, maxSigningSecrets } from '@shelfwise/facts/alerts/alert-channels';
import { createSecretBox } from '@shelfwise/runtime/secrets/secret-box';
import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { signWebhook } from '../src/delivery/sign-webhook.ts';
import { updateAlertChannel } from '../src/handlers/alert-channels.ts';
import { createHarness } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();

const update = { rotates_secret: false };

test('a channel is created with a secret that is shown once; lists show its host and the last four characters', async () => {
  const notify = await startNotify();
  const { create, list } = useChannels(notify);
  const { secret, ...channel } = await create({
    url: 'https://hooks.example.com:8443/in/abc-1234',
    timing: 'HOURLY',
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(channel).toEqual({
    id: 1,
    type: 'WEBHOOK',
    name: 'My receiver',
    host: 'hooks.example.com:8443',
    url_end: '1234',
    timing: 'HOURLY',
    off_reason: null,
    off_at: null,
    last_success_at: null,
    failing_since: null,
    old_secret_until: null,
    is_confirmed: true,
    created_at: notify.clock.at,
  });
  expect(await list()).toEqual([channel]);
  expect((await create({ type: 'SLACK' })).secret).toBe('');
});

test('addresses and secrets are in no collection as text', async () => {
  const notify = await startNotify();
  const { create } = useChannels(notify);
  const { secret } = await create({ url: 'https://hooks.example.com/in/abc-1234' });
  await notify.client.testAlertChannel({ account_id: 'ann', id: 1 });
  for (const { name } of await notify.connection.listCollections()) {
    const text = JSON.stringify(await notify.connection.collection(name).find({}).toArray());
    expect([name, text.includes('abc-1234'), text.includes(secret.slice(6, 20))]).toEqual([
      name,
      false,
      false,
    ]);
  }
});

test.each([
  ['http://hooks.example.com/x', /https/],
  ['https://127.0.0.1/x', /address/],
  ['https://user@hooks.example.com/x', /user name/],
  ['https://notify/x', /private network/],
])('the address %s is refused with the reason', async (url, reason) => {
  const { client } = await startNotify();
  const create = client.createAlertChannel({
    account_id: 'ann',
    type: 'WEBHOOK',
    name: 'x',
    url,
    timing: 'HOURLY',
  });
  await expect(create).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringMatching(reason),
  });
});

test('a type, a timing or a name that does not exist is refused', async () => {
  const { create } = useChannels(await startNotify());
  expect(await codeOf(create({ type: 'TYPE_UNSPECIFIED' }))).toBe('INVALID_PARAMS');
  expect(await codeOf(create({ timing: 'TIMING_UNSPECIFIED' }))).toBe('INVALID_PARAMS');
  expect(await codeOf(create({ name: ' ' }))).toBe('INVALID_PARAMS');
});

test('an account has at most 20 channels, and the last place is given, however many calls create at the same time', async () => {
  const { create, list } = useChannels(await startNotify());
  for (let count = 1; count < maxAlertChannels - 1; count += 1) await create();
  expect(await countCodes(Array.from({ length: 6 }, () => create()))).toEqual({ OK: 2, PLAN_LIMIT: 4 });
  expect(await list()).toHaveLength(maxAlertChannels);
  expect(await codeOf(create())).toBe('PLAN_LIMIT');
  expect(await codeOf(create({ account_id: 'bob' }))).toBe('OK');
});

test('a change keeps the rest; a new secret is shown once, and until when the old one signs', async () => {
  const notify = await startNotify();
  const { create } = useChannels(notify);
  const { secret, ...channel } = await create();
  const ann = { account_id: 'ann', id: channel.id, ...update };
  const named = await notify.client.updateAlertChannel({ ...ann, name: 'Other' });
  expect(named).toEqual({ channel: { ...channel, name: 'Other' }, secret: null });
  const moved = await notify.client.updateAlertChannel({
    ...ann,
    url: 'https://new.example.com/9876',
    timing: 'HOURLY',
  });
  expect(moved.channel).toMatchObject({
    name: 'Other',
    host: 'new.example.com',
    url_end: '9876',
    timing: 'HOURLY',
  });
  const rotated = await notify.client.updateAlertChannel({ ...ann, rotates_secret: true });
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.channel?.old_secret_until).toEqual(new Date(notify.clock.at.getTime() + 86_400_000));
  notify.clock.advance(86_400_000);
  expect((await useChannels(notify).list())[0]?.old_secret_until).toBeNull();
});

test('each old secret signs for its whole day, also when the secret is rotated again', async () => {
  const notify = await startNotify();
  const { client, clock, receivers } = notify;
  const { create, list } = useChannels(notify);
  const { id } = await create();
  const rotate = () => client.updateAlertChannel({ account_id: 'ann', id, rotates_secret: true });
  const signatures = async () => {
    await client.testAlertChannel({ account_id: 'ann', id });
    return receivers.requests.at(-1)?.headers['webhook-signature']?.split(' ').length;
  };
  await rotate();
  clock.advance(3_600_000);
  await rotate();
  expect(await signatures()).toBe(3);
  expect((await list())[0]?.old_secret_until).toEqual(new Date(clock.at.getTime() + 86_400_000));
  for (let count = 3; count < maxSigningSecrets; count += 1) await rotate();
  expect(await codeOf(rotate())).toBe('PLAN_LIMIT');
  expect(await signatures()).toBe(maxSigningSecrets);
  // The first one ends.
  clock.advance(23 * 3_600_000);
  expect(await signatures()).toBe(maxSigningSecrets - 1);
  expect(await codeOf(rotate())).toBe('OK');
  clock.advance(86_400_000);
  expect(await signatures()).toBe(1);
});

test('of calls that rotate a secret at the same time every one that is answered shows a secret that signs', async () => {
  const notify = await startNotify();
  const { client, receivers } = notify;
  const { id, secret } = await useChannels(notify).create();
  const rotate = () => client.updateAlertChannel({ account_id: 'ann', id, rotates_secret: true });
  const replies = await Promise.all([rotate(), rotate()]);
  await client.testAlertChannel({ account_id: 'ann', id });
  const [sent] = receivers.requests;
  if (!sent) throw new Error('nothing was sent');
  const at = new Date(1000 * Number(sent.headers['webhook-timestamp']));
  const message = { id: sent.headers['webhook-id'] ?? '', at, body: sent.body };
  const signatures = sent.headers['webhook-signature']?.split(' ') ?? [];
  expect(signatures).toHaveLength(3);
  for (const shown of [secret, ...replies.map((reply) => reply.secret ?? '')])
    expect(signatures).toContain(signWebhook(message, [shown])['webhook-signature']);
});

test('a rotation that others forestall twice is refused, and changes nothing', async () => {
  const notify = await startNotify();
  const { id } = await useChannels(notify).create();
  const [row] = await notify.connection.collection('alert_channels').find({}).toArray();
  const find = jest.fn(async () => ({ ...row, id }));
  const deps = {
    channels: { find, update: async () => false },
    secretBox: createSecretBox([Buffer.alloc(32, 7)]),
    now: notify.clock.now,
  };
  const { signal } = new AbortController();
  const request = { account_id: 'ann', id, rotates_secret: true };
  expect(await codeOf(updateAlertChannel(deps as never, request, { signal }))).toBe('SERVICE_UNAVAILABLE');
  expect(find).toHaveBeenCalledTimes(2);
  expect(await notify.connection.collection('alert_channels').find({}).toArray()).toEqual([row]);
});

test('only a webhook has a secret', async () => {
  const notify = await startNotify();
  const { id } = await useChannels(notify).create({ type: 'SLACK' });
  const rotate = notify.client.updateAlertChannel({ account_id: 'ann', id, rotates_secret: true });
  expect(await codeOf(rotate)).toBe('INVALID_PARAMS');
});

test('a channel is turned off and on', async () => {
  const notify = await startNotify();
  const { id } = await useChannels(notify).create();
  const turn = async (isEnabled: boolean) =>
    (await notify.client.updateAlertChannel({ account_id: 'ann', id, is_enabled: isEnabled, ...update }))
      .channel;
  expect(await turn(false)).toMatchObject({ off_reason: 'ACCOUNT', off_at: notify.clock.at });
  expect(await turn(true)).toMatchObject({ off_reason: null, off_at: null });
});

test('rules name channels of their account only; a deleted channel is in no rule', async () => {
  const notify = await startNotify();
  const { client } = notify;
  const { create, list } = useChannels(notify);
  const [one, other] = [await create(), await create()];
  const bobs = await create({ account_id: 'bob' });
  const rule = { account_id: 'ann', kind: 'LEFT_TOP', keywords: null, is_enabled: true } as const;
  expect(await codeOf(client.createAlertRule({ ...rule, channel_ids: [bobs.id] }))).toBe('INVALID_PARAMS');
  const created = await client.createAlertRule({ ...rule, channel_ids: [one.id, other.id, one.id] });
  expect(created.rule?.channel_ids).toEqual([one.id, other.id]);
  expect(await client.deleteAlertChannel({ account_id: 'ann', id: one.id })).toEqual({
    id: one.id,
    already_removed: false,
  });
  expect(await client.deleteAlertChannel({ account_id: 'ann', id: one.id })).toMatchObject({
    already_removed: true,
  });
  expect((await list()).map(({ id }) => id)).toEqual([other.id]);
  const { rules } = await client.listAlertRules({ account_id: 'ann', page: 1, per_page: 50 });
  expect(rules.at(-1)?.channel_ids).toEqual([other.id]);
  const emptied = await client.updateAlertRule({
    account_id: 'ann',
    id: created.rule?.id ?? 0,
    keywords: null,
    app: null,
    channels: { ids: [] },
  });
  expect(emptied.rule?.channel_ids).toEqual([]);
});

test('another account sees, changes, tests and deletes none of them', async () => {
  const notify = await startNotify();
  const { client } = notify;
  const { create, list } = useChannels(notify);
  const { id } = await create();
  const bobs = { account_id: 'bob', id };
  expect(await list('bob')).toEqual([]);
  expect(await codeOf(client.updateAlertChannel({ ...bobs, ...update, name: 'x' }))).toBe('NOT_FOUND');
  expect(await codeOf(client.testAlertChannel(bobs))).toBe('NOT_FOUND');
  const deliveries = { account_id: 'bob', channel_id: id, page: 1, per_page: 50 };
  expect(await codeOf(client.listAlertDeliveries(deliveries))).toBe('NOT_FOUND');
  expect(await client.deleteAlertChannel(bobs)).toMatchObject({ already_removed: true });
  expect(await list()).toHaveLength(1);
});

test('without SECRETS_KEY a channel is refused with the reason, and everything else works', async () => {
  const notify = await startNotify({ hasKey: false });
  const create = useChannels(notify).create();
  await expect(create).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('SECRETS_KEY'),
  });
  expect(await notify.server.checks['deliveries']?.()).toMatchObject({
    state: 'OK',
    detail: expect.stringContaining('SECRETS_KEY'),
  });
});
