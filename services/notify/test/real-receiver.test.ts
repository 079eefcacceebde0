import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exchange } from '@shelfwise/runtime/outgoing/exchange';
import { Webhook } from 'standardwebhooks';
import { useClosing } from '../../../testing/use-closing.ts';
import { createFakeReceivers } from './fake-receivers.ts';
import { createHarness, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const closing = useClosing();
const { startNotify } = createHarness();

type Received = { headers: Record<string, string>; body: string };

/** A receiver on this machine, and what it got. */
async function startReceiver(answer: (response: ServerResponse) => void = (response) => response.end('ok')) {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    received.push({ headers: request.headers as Received['headers'], body: await text(request) });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/in?key=1`, received, close: () => server.close() };
}

/** Throws unless the library of standardwebhooks.com takes it at that time. */
function verify(secret: string, { headers, body }: Received, at: Date): unknown {
  const now = jest.spyOn(Date, 'now').mockReturnValue(at.getTime());
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    now.mockRestore();
  }
}

test('what a receiver gets verifies with the published library, by the new secret and for a day by the old one', async () => {
  const notify = await startNotify({ isReal: true });
  const { client, clock } = notify;
  const channels = useChannels(notify);
  const { url, received } = await startReceiver();
  await channels.track();
  const { id, secret: old } = await channels.create({ url });
  await channels.sendDropsTo([id]);
  const rotated = await client.updateAlertChannel({ account_id: 'ann', id, rotates_secret: true });
  await channels.drop(3);
  await untilIdle(clock);
  const [first] = received;
  if (!first) throw new Error('nothing was received');
  for (const secret of [old, rotated.secret ?? ''])
    expect(verify(secret, first, clock.at)).toMatchObject({ type: 'alerts', events: [{ id: 1 }] });
  expect(first.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Shelfwise/),
  });
  // Of a server of the operator's network nothing is kept.
  expect((await channels.deliveries(id))[0]).toMatchObject({ state: 'DELIVERED', status: 200, answer: null });

  clock.advance(86_400_000);
  await channels.drop(5);
  await untilIdle(clock);
  const last = received.at(-1) as Received;
  expect(verify(rotated.secret ?? '', last, clock.at)).toMatchObject({ events: [{ id: 2 }] });
  expect(() => verify(old, last, clock.at)).toThrow('No matching signature');
});

test('a redirect is not followed, and a receiver that is not there is a sentence', async () => {
  const notify = await startNotify({ isReal: true });
  const { create } = useChannels(notify);
  const other = await startReceiver();
  const { url } = await startReceiver((response) => response.writeHead(302, { location: other.url }).end());
  const test = async (address: string) => {
    const { id } = await create({ url: address });
    return (await notify.client.testAlertChannel({ account_id: 'ann', id })).delivery;
  };
  expect(await test(url)).toMatchObject({ state: 'FAILED', status: 302 });
  expect(other.received).toEqual([]);
  other.close();
  expect(await test(other.url)).toMatchObject({
    state: 'FAILED',
    status: null,
    failure: expect.stringContaining('refused the connection'),
  });
});

test.each([
  ['1,024 bytes', 'a'.repeat(1024), 'a'.repeat(1024)],
  ['more', `${'a'.repeat(1024)}b`, 'a'.repeat(1024)],
  ['a character that the limit divides', `${'a'.repeat(1023)}ü`, 'a'.repeat(1023)],
])('of an answer the first 1,024 bytes are kept: %s', async (_name, answer, kept) => {
  const { url } = await startReceiver((response) => response.end(answer));
  // As from a public address: of an answer of this machine nothing is kept.
  const receivers = createFakeReceivers();
  receivers.answers.set('hooks.example.com', async ({ headers, body, answerBytes }) => {
    const { signal } = new AbortController();
    const sent = await exchange(new URL(url), ['127.0.0.1'], { headers, body, answerBytes }, signal);
    return { ...sent, durationMs: 1 };
  });
  const notify = await startNotify({ receivers });
  const { create, deliveries } = useChannels(notify);
  const { id } = await create();
  const { delivery } = await notify.client.testAlertChannel({ account_id: 'ann', id });
  expect(delivery?.answer).toBe(kept);
  expect((await deliveries(id))[0]?.answer).toBe(kept);
});
