import { createSecretBox, type SecretBox } from '@shelfwise/runtime/secrets/secret-box';
import { codeOf } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { createSealAgain } from '../src/delivery/seal-again.ts';
import { signWebhook } from '../src/delivery/sign-webhook.ts';
import { type SealedChannel, secretContexts } from '../src/domain/channel.ts';
import { createHarness, type Notify } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const before = createSecretBox([oldKey]);
const during = createSecretBox([newKey, oldKey]);
const after = createSecretBox([newKey]);

const urlOf = (id: number) => `https://hooks.example.com/${id}`;
const day = new Date('2026-03-11T09:00:00Z');

function channelOf(id: number, box: SecretBox): SealedChannel {
  const contexts = secretContexts({ account_id: 'ann', id });
  const seal = (text: string) => box.seal(text, contexts.secret);
  return {
    id,
    account_id: 'ann',
    sealed_url: box.seal(urlOf(id), contexts.url),
    secrets: [
      { sealed: seal('newest'), until: null },
      { sealed: seal('older'), until: day },
    ],
  };
}

/** What the channel keeps, as it is read with the new key alone. */
function readWithNewKey({ secrets, ...channel }: SealedChannel) {
  const contexts = secretContexts(channel);
  return [
    after.open(channel.sealed_url, contexts.url),
    ...secrets.map(({ sealed, until }) => [after.open(sealed, contexts.secret), until]),
  ];
}

const secretsOfAll = [
  ['newest', null],
  ['older', day],
];

/** Copies that seal again what is stored. `onWrite` runs before each write. */
function start(channels: readonly SealedChannel[], box: SecretBox | null = during) {
  const stored = new Map(channels.map((channel) => [channel.id, channel]));
  let lists = 0;
  const hooks = { onWrite: (_id: number) => {} };
  const store = {
    async listSealed(afterId: number, limit: number) {
      lists += 1;
      return [...stored.values()].filter(({ id }) => id > afterId).slice(0, limit);
    },
    findSealed: async (id: number) => stored.get(id) ?? null,
    async replaceSealed(read: SealedChannel, sealed: Omit<SealedChannel, 'id' | 'account_id'>) {
      hooks.onWrite(read.id);
      if (stored.get(read.id)?.sealed_url !== read.sealed_url) return false;
      stored.set(read.id, { ...read, ...sealed });
      return true;
    },
  };
  /** What each copy logs. */
  const runCopies = async (copies = 1) => {
    const counts: unknown[] = [];
    const passes = Array.from({ length: copies }, () =>
      createSealAgain({
        channels: store,
        secretBox: box,
        logger: { info: (line: unknown) => void counts.push(line), warn: () => {} } as never,
        sleep: async () => {},
      }),
    );
    for (const pass of passes) pass.start();
    await until(() => box?.hasOldKeys !== true || counts.length === copies);
    for (const pass of passes) await pass.stop();
    return counts;
  };
  return { stored, hooks, runCopies, lists: () => lists };
}

test('what an old key has sealed is sealed with the first one, and what is of the first one stays', async () => {
  const channels = Array.from({ length: 450 }, (_, index) =>
    channelOf(index + 1, index % 3 === 0 ? during : before),
  );
  const { stored, runCopies } = start(channels);
  expect(await runCopies()).toEqual([{ count: 300, unreadable: 0 }]);
  for (const channel of stored.values())
    expect(readWithNewKey(channel)).toEqual([urlOf(channel.id), ...secretsOfAll]);
  expect(stored.get(1)).toBe(channels[0]);
  expect(await runCopies()).toEqual([{ count: 0, unreadable: 0 }]);
});

test('of several copies one writes each channel, so that their counts are the channels', async () => {
  const { stored, runCopies } = start(Array.from({ length: 50 }, (_, index) => channelOf(index + 1, before)));
  const counts = (await runCopies(2)) as { count: number }[];
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(50);
  for (const channel of stored.values())
    expect(readWithNewKey(channel)).toEqual([urlOf(channel.id), ...secretsOfAll]);
});

test('a change that comes in between stays, and the rest is sealed again', async () => {
  const { stored, hooks, runCopies } = start([channelOf(1, before), channelOf(2, before)]);
  hooks.onWrite = (id) => {
    hooks.onWrite = () => {};
    const channel = stored.get(id);
    const changed = during.seal('https://other.example.com/', secretContexts({ account_id: 'ann', id }).url);
    if (channel) stored.set(id, { ...channel, sealed_url: changed });
    stored.delete(2);
  };
  expect(await runCopies()).toEqual([{ count: 1, unreadable: 0 }]);
  expect([...stored.values()].map(readWithNewKey)).toEqual([['https://other.example.com/', ...secretsOfAll]]);
});

test('a text that no key opens stays as it is and is counted', async () => {
  const lost = channelOf(1, createSecretBox([Buffer.alloc(32, 3)]));
  const half = { ...channelOf(2, before), sealed_url: 'no sealed text' };
  const { stored, runCopies } = start([lost, half]);
  expect(await runCopies()).toEqual([{ count: 1, unreadable: 2 }]);
  expect(stored.get(1)).toBe(lost);
  expect(stored.get(2)?.sealed_url).toBe('no sealed text');
  expect(stored.get(2)?.secrets.every(({ sealed }) => after.isCurrent(sealed))).toBe(true);
});

test.each<[string, SecretBox | null]>([
  ['one key', before],
  ['no key', null],
])('with %s nothing is read', async (_name, box) => {
  const { runCopies, lists } = start([channelOf(1, before)], box);
  expect(await runCopies()).toEqual([]);
  expect(lists()).toBe(0);
});

describe('a channel', () => {
  const rotate = (notify: Notify, id: number) =>
    notify.client.updateAlertChannel({ account_id: 'ann', id, rotates_secret: true });

  test('sends as before with the new key alone, once a copy has started with both', async () => {
    const first = await startNotify({ secretsKeys: [oldKey] });
    const { create } = useChannels(first);
    const { id, secret } = await create();
    const slack = await create({ type: 'SLACK', url: 'https://hooks.slack.com/x' });
    const { secret: rotated } = await rotate(first, id);
    await first.stop();

    const both = await startNotify({ database: first.database, secretsKeys: [newKey, oldKey] });
    const sealedTexts = async () =>
      (await both.connection.collection('alert_channels').find({}).toArray()).flatMap((row) => [
        row.sealed_url as string,
        ...(row.secrets as { sealed: string }[]).map(({ sealed }) => sealed),
      ]);
    await until(async () => (await sealedTexts()).every((sealed) => after.isCurrent(sealed)));
    expect(await sealedTexts()).toHaveLength(4);
    await both.stop();

    const last = await startNotify({ database: first.database, secretsKeys: [newKey] });
    for (const channelId of [id, slack.id])
      expect(
        (await last.client.testAlertChannel({ account_id: 'ann', id: channelId })).delivery,
      ).toMatchObject({ status: 200 });
    const [sent] = last.receivers.toHost('hooks.example.com');
    if (!sent) throw new Error('nothing was sent');
    const at = new Date(1000 * Number(sent.headers['webhook-timestamp']));
    const message = { id: sent.headers['webhook-id'] ?? '', at, body: sent.body };
    expect(sent.headers).toMatchObject(signWebhook(message, [rotated ?? '', secret]));
    expect(await codeOf(rotate(last, id))).toBe('OK');
  });
});
