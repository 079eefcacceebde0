import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications';

beforeEach(() => {
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that records what it receives. */
function openConnection() {
  const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  // The gateway may cut the connection while the client still sends.
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  return {
    socket,
    answers: () => received.split(/(?=HTTP\/1\.1 )/),
    /** Waits for that many answers. */
    async answer(number = 1): Promise<string> {
      while (received.split('HTTP/1.1 ').length <= number || !received.endsWith('}'))
        await once(socket, 'data');
      return received.split(/(?=HTTP\/1\.1 )/)[number - 1] ?? '';
    },
  };
}

function head(key: string, headers: readonly string[]): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `X-API-Key: ${key}`,
    'Content-Type: application/json',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A key whose window of a second is full and has just refused a call. */
async function createRefusedKey(): Promise<string> {
  const { key } = await api.createKey();
  const statuses = [];
  for (let call = 0; call < 6; call++)
    statuses.push((await api.call('GET', path, { key, withoutPause: true })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  return key;
}

test('a window that has just refused a call refuses the next before its body arrives, and ends the connection', async () => {
  const key = await createRefusedKey();
  const { socket, answer } = openConnection();
  const ended = once(socket, 'end');
  socket.write(head(key, ['Content-Length: 200000']));
  const text = await answer();
  expect(text).toMatch(/^HTTP\/1.1 429 /);
  expect(text).toMatch(/\r\nConnection: close\r\n/);
  expect(text).toMatch(/\r\nRetry-After: 1\r\n/);
  expect(text).toMatch(/\r\nX-RateLimit-Limit: 5\r\n/);
  expect(text).toContain('"code":"RATE_LIMITED"');
  await ended;
});

test('a refused call keeps its connection when no body is left unread', async () => {
  const key = await createRefusedKey();
  const { socket, answer } = openConnection();
  for (let call = 1; call <= 2; call++) {
    socket.write(`${head(key, ['Content-Length: 2'])}{}`);
    const text = await answer(call);
    expect(text).toMatch(/^HTTP\/1.1 429 /);
    expect(text).toMatch(/\r\nConnection: keep-alive\r\n/);
  }
});

test('when the window has room again, the call is admitted', async () => {
  const key = await createRefusedKey();
  api.clock.advance(1000);
  expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(200);
});

test('a replaced key is 401, also where its window would refuse', async () => {
  const { id, key } = await api.createKey();
  for (let call = 0; call < 6; call++) await api.call('GET', path, { key, withoutPause: true });
  await api.gateway.accounts.regenerateKey({ id });
  expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(401);
});

describe('a client that asks before it sends the body (Expect: 100-continue)', () => {
  const asking = (length: number) => [`Content-Length: ${length}`, 'Expect: 100-continue'];

  test.each([
    ['one header', []],
    ['the header twice', ['Expect: 100-Continue']],
  ])('is asked for the body once the call may go on, with %s', async (_which, more) => {
    const { key } = await api.createKey();
    const { socket, answers } = openConnection();
    socket.write(head(key, [...asking(2), ...more]));
    await once(socket, 'data');
    expect(answers()).toEqual(['HTTP/1.1 100 Continue\r\n\r\n']);
    socket.write('{}');
    await once(socket, 'data');
    expect(answers()[1]).toMatch(/^HTTP\/1.1 400 /);
  });

  test.each([
    ['without a key', 401, async () => 'wrong', 2],
    ['whose window is full', 429, createRefusedKey, 2],
    ['with a body over 256 KiB', 413, async () => (await api.createKey()).key, 300_000],
  ])('%s is answered at once', async (_which, status, createKey, length) => {
    const key = await createKey();
    const { socket, answer } = openConnection();
    socket.write(head(key, asking(length)));
    expect(await answer()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

test.each([
  ['Content-Length alone', ['Content-Length: 300000'], ''],
  [
    'the bytes, which have no end yet',
    ['Transfer-Encoding: chunked'],
    `${(262_145).toString(16)}\r\n${'x'.repeat(262_145)}\r\n`,
  ],
  [
    'the bytes, compressed with an unknown end',
    ['Transfer-Encoding: chunked', 'Content-Encoding: gzip'],
    `${(300_000).toString(16)}\r\n`,
  ],
])('a body over 256 KiB is 413 when %s say so, and the connection ends', async (_what, headers, body) => {
  const { gzipSync } = await import('node:zlib');
  const { randomBytes } = await import('node:crypto');
  const { socket, answer } = openConnection();
  const ended = once(socket, 'end');
  api.clock.advance(1000);
  socket.write(head(api.key, headers));
  socket.write(body);
  if (headers.length > 1) socket.write(gzipSync(randomBytes(299_000)).subarray(0, 290_000));
  const text = await answer();
  expect(text).toMatch(/^HTTP\/1.1 413 /);
  expect(text).toMatch(/\r\nConnection: close\r\n/);
  expect(text).toContain('"code":"PAYLOAD_TOO_LARGE"');
  await ended;
});

test.each([
  ['its bytes', 'Transfer-Encoding: chunked'],
  ['Content-Length', 'Content-Length: 262160'],
])('a compressed body without content is 413 when it has over 256 KiB by %s', async (_what, length) => {
  const { gzipSync } = await import('node:zlib');
  const { socket, answer } = openConnection();
  const ended = once(socket, 'end');
  api.clock.advance(1000);
  socket.write(head(api.key, [length, 'Content-Encoding: gzip']));
  const empty = gzipSync('');
  const bytes = Buffer.concat(Array.from({ length: Math.ceil(262_145 / empty.length) }, () => empty));
  if (length.startsWith('Transfer')) {
    socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
  }
  const text = await answer();
  expect(text).toMatch(/^HTTP\/1.1 413 /);
  expect(text).toContain('"code":"PAYLOAD_TOO_LARGE"');
  await ended;
});

test('a body over its limit of a call above the rate is 429', async () => {
  const { key } = await api.createKey();
  for (let call = 0; call < 5; call++) await api.call('GET', path, { key, withoutPause: true });
  const { socket, answer } = openConnection();
  socket.write(head(key, ['Content-Length: 300000']));
  expect(await answer()).toMatch(/^HTTP\/1.1 429 /);
});

test('after the answer the gateway drops a rest of the body, and cuts a connection that goes on', async () => {
  const { socket, answer } = openConnection();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  api.clock.advance(1000);
  socket.write(head(api.key, ['Content-Length: 1000000000000']));
  expect(await answer()).toMatch(/^HTTP\/1.1 413 /);
  const chunk = Buffer.alloc(64 * 1024);
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  await closed;
  // The buffers of the system hold some more than the gateway reads.
  expect(socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
});

test('a connection whose client neither sends nor closes is cut, too', async () => {
  const { socket, answer } = openConnection();
  socket.write(head('unknown', ['Content-Length: 1000']));
  expect(await answer()).toMatch(/^HTTP\/1.1 401 /);
  // A half-open connection sees the cut only when it writes.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const timer = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(timer);
  expect(socket.bytesWritten).toBeLessThan(2000);
});

test('what follows an unread body is not taken for a request', async () => {
  const { socket, answer, answers } = openConnection();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  api.clock.advance(1000);
  socket.write(head(api.key, ['Content-Length: 300000']));
  expect(await answer()).toMatch(/^HTTP\/1.1 413 /);
  socket.end(`${'x'.repeat(300_000)}GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\n\r\n`);
  await closed;
  expect(answers()).toHaveLength(1);
  expect(api.tracking.requests).toEqual([]);
});
