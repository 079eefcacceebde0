import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { findFreePort } from '../../testing/find-free-port.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { exchange } from '../src/outgoing/exchange.ts';
import { CallError } from '../src/outgoing/explain-failure.ts';
import { getOnce, type OutgoingCall, postOnce } from '../src/outgoing/post.ts';
import { TargetError } from '../src/outgoing/target.ts';
import { readPems, useCertificates } from './lib/certificates.ts';

const closing = useClosing();
const certificates = useCertificates();
const never = new AbortController().signal;

/** Starts the server on a free port of 127.0.0.1, and counts its connections. */
async function listen<Listening extends Server>(server: Listening) {
  const seen = { port: 0, connections: 0, open: 0 };
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    seen.connections++;
    seen.open++;
    sockets.add(socket);
    // The calls under test end connections that are still written to.
    socket.on('error', () => {});
    socket.on('close', () => seen.open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

const serve = (answer: RequestListener) => listen(createServer(answer));

/** A server below HTTP, which writes what it likes once it has been asked. */
const serveBytes = (write: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => socket.once('data', () => write(socket))));

/** Writes the text again and again until the other end closes. */
function writeWithoutEnd(socket: Socket, text: string): void {
  const write = () => {
    if (socket.writable) socket.write(text, () => setImmediate(write));
  };
  write();
}

/** Generous: only the tests of the limits reach one. */
const call: Omit<OutgoingCall, 'url'> = {
  headers: { 'content-type': 'application/json' },
  timeoutMs: 60_000,
  answerBytes: 1024,
  options: { allowPrivate: true },
};

test('a receiver gets the body with the fixed headers, and its answer is not kept in a private network', async () => {
  const received: unknown[] = [];
  const { port } = await serve(async (request, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(201, 'Made').end('hush');
  });
  const headers = {
    'content-type': 'text/plain',
    'webhook-id': 'msg_1',
    Host: 'other',
    'User-Agent': 'other',
  };
  const sent = await postOnce({
    ...call,
    headers,
    url: `http://127.0.0.1:${port}/a%20b?c=d`,
    body: '{"ä":1}',
  });
  expect(sent).toEqual({ status: 201, durationMs: expect.any(Number), answer: null, isWhole: true });
  expect(received).toEqual([
    {
      method: 'POST',
      url: '/a%20b?c=d',
      headers: {
        host: `127.0.0.1:${port}`,
        'user-agent': expect.stringMatching(/^Shelfwise\/\d/),
        'content-type': 'text/plain',
        'webhook-id': 'msg_1',
        'content-length': '8',
        connection: 'close',
      },
      body: '{"ä":1}',
    },
  ]);
});

test('each call has a connection of its own, which it closes', async () => {
  const receiver = await serve((_, response) => response.end());
  const url = `http://127.0.0.1:${receiver.port}/`;
  for (const body of ['1', '2', '3']) await postOnce({ ...call, url, body });
  await until(() => receiver.open === 0);
  expect(receiver.connections).toBe(3);
});

describe('names', () => {
  test('a name is looked up once, and the call goes to that address with the name', async () => {
    const hosts: unknown[] = [];
    const receiver = await serve(({ headers }, response) => {
      hosts.push(headers.host);
      response.end();
    });
    // A second look-up would lead elsewhere.
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve = jest.fn(async () => answers.shift() ?? []);
    const url = `http://hooks.example.com:${receiver.port}/`;
    await expect(postOnce({ ...call, url, body: '', resolve })).resolves.toMatchObject({ status: 200 });
    expect(resolve.mock.calls).toEqual([['hooks.example.com', expect.any(AbortSignal)]]);
    expect(hosts).toEqual([`hooks.example.com:${receiver.port}`]);
    // The next call looks again, and finds that the name has changed.
    await expect(postOnce({ ...call, url, body: '', resolve })).rejects.toThrow(TargetError);
    expect(receiver.connections).toBe(1);
  });

  test.each([
    ['http', true, ['127.0.0.1', '169.254.169.254'], 'leads to an address that is never called'],
    ['http', true, ['127.0.0.1', '::ffff:127.0.0.1'], 'leads to an address that is never called'],
    ['https', false, ['127.0.0.1'], 'leads to a private address'],
    ['https', false, ['::1', '127.0.0.1'], 'leads to a private address'],
    ['https', false, ['8.8.8.8', '127.0.0.1'], 'leads to a private address'],
    ['https', false, ['127.0.0.1', '8.8.8.8'], 'leads to a private address'],
    ['https', false, ['2606:4700::1', '64:ff9b::7f00:1'], 'leads to an address that is never called'],
    ['https', false, ['198.41.0.4'], 'leads to this machine'],
    ['https', false, [], 'has a host without an address'],
  ])(
    '%s, private allowed: %s, resolves to %j: nothing is sent',
    async (scheme, allowPrivate, addresses, reason) => {
      const receiver = await serve((_, response) => response.end());
      const hostile = {
        ...call,
        url: `${scheme}://hooks.example.com:${receiver.port}/hush`,
        options: { allowPrivate, ownAddresses: ['198.41.0.4'] },
        resolve: async () => addresses,
      };
      const refusal = new TargetError(`The URL ${reason}.`);
      await expect(postOnce({ ...hostile, body: '' })).rejects.toEqual(refusal);
      await expect(getOnce(hostile)).rejects.toEqual(refusal);
      expect(receiver.connections).toBe(0);
    },
  );

  test('the text is checked at each call, too, before the name is looked up', async () => {
    const resolve = jest.fn(async () => ['8.8.8.8']);
    const options = { allowPrivate: false };
    for (const url of [
      'http://example.com/',
      'https://127.1/',
      'https://a@example.com/',
      'https://kafka:9092/',
    ])
      await expect(postOnce({ ...call, options, url, body: '', resolve })).rejects.toThrow(TargetError);
    expect(resolve).not.toHaveBeenCalled();
  });

  test('a look-up that fails, and one that never ends', async () => {
    const url = 'https://hooks.example.com/hush';
    const options = { allowPrivate: false };
    const fail = (code: string) => Promise.reject(Object.assign(new Error(`query hush`), { code }));
    const failing = { ...call, url, options, body: '' };
    await expect(postOnce({ ...failing, resolve: () => fail('ENOTFOUND') })).rejects.toThrow(
      new CallError('The host has no address (ENOTFOUND).'),
    );
    await expect(postOnce({ ...failing, resolve: () => fail('ESERVFAIL') })).rejects.toThrow(
      new CallError('The name of the host could not be looked up (ESERVFAIL).'),
    );
    const hanging = { ...failing, timeoutMs: 20, resolve: () => new Promise<never>(() => {}) };
    await expect(postOnce(hanging)).rejects.toThrow(
      new CallError('The receiver did not answer within 0.02 s.'),
    );
  });

  test('further addresses are tried when the first one refuses', async () => {
    const receiver = await serve((_, response) => response.end());
    // The server listens on 127.0.0.1 only.
    const resolve = async () => ['127.0.0.2', '::1', '127.0.0.1'];
    const url = `http://hooks.example.com:${receiver.port}/`;
    await expect(postOnce({ ...call, url, body: '', resolve })).resolves.toMatchObject({ status: 200 });
  });
});

test.each([301, 302, 303, 307, 308])('a redirect with status %d is not followed', async (status) => {
  const target = await serve((_, response) => response.end());
  const receiver = await serve((_, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end();
  });
  const url = `http://127.0.0.1:${receiver.port}/`;
  await expect(postOnce({ ...call, url, body: '' })).resolves.toMatchObject({ status });
  await expect(getOnce({ ...call, url })).resolves.toMatchObject({ status });
  expect(target.connections).toBe(0);
});

describe('TLS', () => {
  async function serveTls(hosts: string) {
    const { ca, key, certificate } = readPems(certificates.issue('receiver', { hosts }));
    const serverNames: unknown[] = [];
    const server = createTlsServer({ key, cert: certificate }, (request, response) => {
      serverNames.push((request.socket as TLSSocket & { servername?: unknown }).servername);
      response.end();
    });
    return { ca, serverNames, seen: await listen(server) };
  }
  const toLoopback = { ...call, body: '', resolve: async () => ['127.0.0.1'] };
  const invalid = /^The certificate of the receiver is not valid \([A-Z_]+\)\.$/;

  test('the certificate is checked against the name of the URL', async () => {
    const { ca, seen, serverNames } = await serveTls('hooks.example.com');
    const url = `https://hooks.example.com:${seen.port}/`;
    await expect(postOnce({ ...toLoopback, url, ca })).resolves.toMatchObject({ status: 200 });
    expect(serverNames).toEqual(['hooks.example.com']);
    await expect(postOnce({ ...toLoopback, url })).rejects.toThrow(invalid);
    const other = `https://other.example.com:${seen.port}/`;
    await expect(postOnce({ ...toLoopback, url: other, ca })).rejects.toThrow(invalid);
    await expect(postOnce({ ...toLoopback, url: `https://127.0.0.1:${seen.port}/`, ca })).rejects.toThrow(
      invalid,
    );
    expect(serverNames).toHaveLength(1);
  });

  test('a server without TLS gets nothing of the request', async () => {
    const received: Buffer[] = [];
    const plain = await listen(
      createTcpServer((socket) =>
        socket.on('data', (data) => {
          received.push(data);
          socket.end('HTTP/1.1 200 OK\r\n\r\n');
        }),
      ),
    );
    const url = `https://hooks.example.com:${plain.port}/hush`;
    await expect(postOnce({ ...toLoopback, url })).rejects.toThrow(
      /^The receiver does not speak TLS as needed \([A-Z_]+\)\.$/,
    );
    const text = Buffer.concat(received).toString('latin1');
    expect(text).toContain('hooks.example.com');
    expect(text).not.toContain('hush');
  });
});

describe('limits', () => {
  test('a receiver that hangs is left at the time limit', async () => {
    const receiver = await serve(() => {});
    const hanging = { ...call, url: `http://127.0.0.1:${receiver.port}/hush`, timeoutMs: 50 };
    const timeout = new CallError('The receiver did not answer within 0.05 s.');
    await expect(postOnce({ ...hanging, body: 'x' })).rejects.toEqual(timeout);
    await expect(getOnce(hanging)).rejects.toEqual(timeout);
    await until(() => receiver.open === 0);
  });

  test('a receiver that does not read is left, too', async () => {
    const receiver = await listen(createTcpServer((socket) => socket.pause()));
    const url = `http://127.0.0.1:${receiver.port}/`;
    const body = 'x'.repeat(20_000_000);
    await expect(postOnce({ ...call, url, body, timeoutMs: 200 })).rejects.toThrow(
      'did not answer within 0.2 s',
    );
  });

  test('the caller may end a call, with its own reason', async () => {
    const receiver = await serve(() => {});
    const stop = new AbortController();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const calling = postOnce({ ...call, url, body: '', signal: stop.signal });
    await until(() => receiver.open === 1);
    stop.abort(new Error('the service stops'));
    await expect(calling).rejects.toThrow('the service stops');
    await until(() => receiver.open === 0);
    await expect(postOnce({ ...call, url, body: '', signal: stop.signal })).rejects.toThrow(
      'the service stops',
    );
    expect(receiver.connections).toBe(1);
  });

  test.each([
    ['one endless header', 'HTTP/1.1 200 OK\r\nx: ', 'a'.repeat(1000)],
    ['headers without end', 'HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(1000)}\r\n`],
    ['an endless first line', 'HTTP/1.1 200 ', 'a'.repeat(1000)],
  ])('%s', async (_, start, text) => {
    const receiver = await serveBytes((socket) => {
      socket.write(start);
      writeWithoutEnd(socket, text);
    });
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(postOnce({ ...call, url, body: '' })).rejects.toThrow(
      new CallError('The header of the answer is too large (HPE_HEADER_OVERFLOW).'),
    );
    await until(() => receiver.open === 0);
  });

  test.each([
    [
      'interim answers without end',
      (socket: Socket) => writeWithoutEnd(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    ],
    ['an empty interim answer', (socket: Socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
    ['half a first line', (socket: Socket) => socket.write('HTTP/1.1 20')],
  ])('%s: left at the time limit', async (_, write) => {
    const receiver = await serveBytes(write);
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(postOnce({ ...call, url, body: '', timeoutMs: 200 })).rejects.toThrow(
      'did not answer within 0.2 s',
    );
    await until(() => receiver.open === 0);
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'The answer is not valid HTTP (HPE_INVALID_CONSTANT).'],
    ['nothing', '', 'The receiver closed the connection (ECONNRESET).'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n',
      'The receiver closed the connection.',
    ],
  ])('a receiver that says %s', async (_, text, reason) => {
    const receiver = await serveBytes((socket) => socket.end(text));
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(postOnce({ ...call, url, body: '' })).rejects.toThrow(new CallError(reason));
  });

  test('no one listens', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/`;
    await expect(postOnce({ ...call, url, body: '' })).rejects.toThrow(
      new CallError('The receiver refused the connection (ECONNREFUSED).'),
    );
  });

  test('a header with a line break is not sent', async () => {
    const receiver = await serve((_, response) => response.end());
    const headers = { 'webhook-id': 'a\r\nx-other: b' };
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(postOnce({ ...call, url, headers, body: '' })).rejects.toThrow(CallError);
    expect(receiver.connections).toBe(0);
  });
});

describe('answers', () => {
  const options = { headers: {}, body: 'x', answerBytes: 10 };
  const at = ({ port }: { port: number }) => new URL(`http://hooks.example.com:${port}/`);
  const loopback = ['127.0.0.1'];

  test('an answer without end is cut for a POST, and refused for a GET', async () => {
    const receiver = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      writeWithoutEnd(socket, 'abc');
    });
    await expect(exchange(at(receiver), loopback, options, never)).resolves.toEqual({
      status: 200,
      answer: 'abcabcabca',
      isWhole: false,
    });
    await expect(exchange(at(receiver), loopback, { ...options, body: null }, never)).rejects.toEqual(
      new CallError('The answer has more than 10 bytes.'),
    );
    await until(() => receiver.open === 0);
  });

  test('an answer of just the limit is whole', async () => {
    const receiver = await serve((_, response) => response.end('0123456789'));
    await expect(exchange(at(receiver), loopback, { ...options, body: null }, never)).resolves.toEqual({
      status: 200,
      answer: '0123456789',
      isWhole: true,
    });
  });

  test('no character is divided', async () => {
    const receiver = await serve((_, response) => response.end('ab𝄞𝄞𝄞'));
    await expect(exchange(at(receiver), loopback, { ...options, answerBytes: 9 }, never)).resolves.toEqual({
      status: 200,
      answer: 'ab𝄞',
      isWhole: false,
    });
  });

  test('a status before the body was read counts', async () => {
    const receiver = await serveBytes((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno');
    });
    const body = 'x'.repeat(20_000_000);
    await expect(exchange(at(receiver), loopback, { ...options, body }, never)).resolves.toEqual({
      status: 413,
      answer: 'no',
      isWhole: true,
    });
  });

  test('an answer that breaks off keeps the status of a POST and fails a GET', async () => {
    const receiver = await serveBytes((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
    );
    await expect(exchange(at(receiver), loopback, options, never)).resolves.toEqual({
      status: 200,
      answer: 'abc',
      isWhole: false,
    });
    await expect(exchange(at(receiver), loopback, { ...options, body: null }, never)).rejects.toThrow(
      'aborted',
    );
  });

  test('an answer that stops in the middle keeps the status of a POST and fails a GET at the time limit', async () => {
    const receiver = await serve((_, response) => response.writeHead(200).write('abc'));
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(postOnce({ ...call, url, body: '', timeoutMs: 2000 })).resolves.toMatchObject({
      status: 200,
    });
    await expect(getOnce({ ...call, url, timeoutMs: 200 })).rejects.toThrow('did not answer within 0.2 s');
    await until(() => receiver.open === 0);
  });

  test('a GET has its whole answer', async () => {
    const receiver = await serve(({ method, headers }, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(JSON.stringify([method, headers.accept])),
    );
    const url = `http://127.0.0.1:${receiver.port}/client.json`;
    await expect(getOnce({ ...call, url, headers: { accept: 'application/json' } })).resolves.toEqual({
      status: 200,
      durationMs: expect.any(Number),
      answer: '["GET","application/json"]',
      isWhole: true,
    });
  });
});
