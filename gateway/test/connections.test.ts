import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { createHttpServer, type HttpServerOptions } from '../src/http/http-server.ts';

const closing = useClosing();

const bigAnswer = Buffer.alloc(8 * 1024 * 1024, 'x');

/**
 * The product's server with an app whose /waiting the test answers. Its clock advances by a second with every check of
 * the limits; a real second has fifty of them.
 */
async function start(
  limits: HttpServerOptions['limits'] = {},
  maxConnections = 100,
  trustProxy: false | string = false,
) {
  let seconds = 0;
  const ended: string[] = [];
  const waiting: express.Response[] = [];
  const cancelled: string[] = [];
  const app = express();
  app.set('trust proxy', trustProxy);
  app.get('/fast', (_request, response) => void response.send('fast'));
  app.get('/big', (_request, response) => void response.send(bigAnswer));
  app.get('/waiting', (request, response) => {
    waiting.push(response);
    response.once('close', () => {
      if (!response.writableFinished) cancelled.push(`${request.url} ${response.closed}`);
    });
  });
  const server = createHttpServer(app, {
    nodeVersion: process.versions.node,
    maxConnections,
    monotonicMs: () => ++seconds * 1000,
    onConnectionEnded: (reason) => ended.push(reason),
    isKnownKey: (key) => key.startsWith('known'),
    limits: { connectionsCheckingInterval: 20, ...limits },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    seconds: () => seconds,
    ended,
    waiting,
    cancelled,
    /** Opens a connection and sends these requests at once. */
    open(paths: string[], options: { allowHalfOpen?: boolean; localAddress?: string } = {}): Socket {
      const socket = connect({ port, host: '127.0.0.1', ...options });
      socket.on('error', () => {});
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
      closing.push(() => socket.destroy());
      return socket;
    },
    connections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
  };
}

const times = (path: string, count: number) => Array.from({ length: count }, () => path);

test('16 requests of one connection may wait for their answers, and each is answered in order', async () => {
  const { open, waiting } = await start();
  const socket = open([...times('/waiting', 15), '/fast']);
  await until(() => waiting.length === 15);
  for (const [index, response] of waiting.entries()) response.send(`answer ${index}`);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk));
  await until(() => received.endsWith('fast'));
  expect(received.match(/answer \d+/g)).toEqual(Array.from({ length: 15 }, (_, index) => `answer ${index}`));
});

test('a connection ends when too many requests of its address wait, and others of the address are answered', async () => {
  const { open, ended } = await start({ perTurn: 1, perQueue: 1, maxWaiting: 3 });
  const socket = open(times('/fast', 10)).resume();
  await once(socket, 'close');
  expect(ended).toEqual(['too_many_waiting']);
  const other = open(times('/fast', 2));
  let received = '';
  other.on('data', (chunk: Buffer) => (received += chunk));
  await until(() => received.match(/fast/g)?.length === 2);
});

test.each([
  ['X-API-Key', '/fast', 'X-API-Key: known\r\n'],
  ['Authorization', '/fast', 'Authorization: Bearer known\r\n'],
  ['the query', '/fast?api_key=known', ''],
])(
  'a known key in %s has its own queue from the first request of a connection on',
  async (_where, path, headers) => {
    const { open, ended } = await start({ perQueue: 1, maxWaiting: 1 });
    const waiting = open([]);
    let received = '';
    waiting.on('data', (chunk: Buffer) => (received += chunk));
    const keyless = 'GET /fast HTTP/1.1\r\nHost: x\r\n\r\n';
    waiting.write(`${keyless}${keyless}GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    await until(() => received.match(/fast/g)?.length === 3);
    expect(ended).toEqual([]);
  },
);

test('a burst of one known key leaves room for another key of its address', async () => {
  const { open } = await start({ perQueue: 1, maxWaiting: 1 });
  let received = '';
  const socket = open([]).on('data', (chunk: Buffer) => (received += chunk));
  const requests = ['known', 'known', 'known', 'known too'].map(
    (key) => `GET /fast HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`,
  );
  socket.write(requests.join(''));
  await until(() => received.match(/HTTP\/1.1 \d+/g)?.length === 4);
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(
    [200, 200, 503, 200].map((status) => `HTTP/1.1 ${status}`),
  );
});

test('a 17th unanswered request ends the connection, and all of its work is cancelled', async () => {
  const { open, waiting, cancelled, ended } = await start({ perQueue: 100 });
  const socket = open([...times('/waiting', 17), ...times('/fast', 1000)]).resume();
  await once(socket, 'close');
  await until(() => cancelled.length === 16);
  expect(waiting).toHaveLength(16);
  expect(cancelled).toEqual(times('/waiting true', 16));
  expect(ended).toEqual(['too_many_requests']);
});

test('a connection may send any number of requests, one after the other', async () => {
  const { open, ended } = await start();
  const socket = open([]);
  for (let request = 0; request < 40; request++) {
    socket.write('GET /fast HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  expect(ended).toEqual([]);
});

test('a client that disconnects cancels the requests that wait behind others, too', async () => {
  const { open, waiting, cancelled } = await start();
  const socket = open(times('/waiting', 5));
  await until(() => waiting.length === 5);
  socket.destroy();
  await until(() => cancelled.length === 5);
  expect(cancelled).toEqual(times('/waiting true', 5));
});

test('a client that takes none of the waiting bytes loses its connection, also when it goes on sending', async () => {
  const { open, ended, connections } = await start();
  const socket = open(times('/big', 3)).pause();
  const drip = setInterval(() => socket.write('GET '), 20);
  closing.push(() => clearInterval(drip));
  await until(() => ended.length > 0);
  expect(ended).toEqual(['unread_answers']);
  await until(async () => (await connections()) === 0);
});

test('a client that reads slowly, but reads, keeps its connection', async () => {
  const { open, ended, seconds } = await start({ connectionsCheckingInterval: 2 });
  const socket = open(['/big']).pause();
  let received = 0;
  let wanted = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received >= wanted) socket.pause();
  });
  // A little in every second: the whole takes longer than the limit.
  while (received < bigAnswer.length) {
    const readAt = seconds();
    await until(() => seconds() > readAt);
    wanted = Math.min(received + bigAnswer.length / 60, bigAnswer.length);
    socket.resume();
    await until(() => received >= wanted);
  }
  expect(seconds()).toBeGreaterThan(30);
  expect(ended).toEqual([]);
});

test('an answer that takes five minutes is no unread answer', async () => {
  const { open, waiting, ended, seconds } = await start({ connectionsCheckingInterval: 2 });
  const socket = open(['/waiting']);
  await until(() => waiting.length === 1);
  await until(() => seconds() > 300);
  waiting[0]?.send('late');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('late');
  expect(ended).toEqual([]);
});

test('when waiting answers need too much memory, the connections that do not read are ended, and others are not', async () => {
  const { open, waiting, ended } = await start({ maxHeldBytes: 20 * 1024 * 1024 });
  const patient = open(['/waiting']);
  for (let connection = 0; connection < 4; connection++) open(times('/big', 2)).pause();
  await until(() => ended.length > 0 && waiting.length === 1);
  waiting[0]?.send('still here');
  const [answer] = await once(patient, 'data');
  expect(String(answer)).toContain('still here');
  expect(new Set(ended)).toEqual(new Set(['held_memory']));
});

test('a client that keeps a connection open after its end by the server loses it', async () => {
  const { open, ended, connections } = await start();
  const socket = open([], { allowHalfOpen: true });
  socket.write('hello\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('400 Bad Request');
  await until(async () => (await connections()) === 0);
  expect(ended).toEqual(['kept_open']);
});

test('connections above the maximum are closed at once, and the others stay', async () => {
  const { open, ended } = await start({}, 2);
  const kept = [open(['/fast']), open(['/fast'])];
  for (const socket of kept) await once(socket, 'data');
  await once(open(['/fast']).resume(), 'close');
  expect(ended).toEqual(['max_connections']);
  kept[0]?.write('GET /fast HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String((await once(kept[0] as Socket, 'data'))[0])).toContain('fast');
});

describe('when one address has taken all connections', () => {
  const from = (localAddress: string) => ({ localAddress });
  const served = async (socket: Socket) => String((await once(socket, 'data'))[0]).includes('fast');

  /** Three connections of one address, which have been served, the last one in a long answer. */
  async function fill(trustProxy: false | string = false) {
    const server = await start({}, 3, trustProxy);
    const idle = [server.open(['/fast'], from('127.0.0.2')), server.open(['/fast'], from('127.0.0.2'))];
    for (const socket of idle) await once(socket, 'data');
    const busy = server.open(['/waiting'], from('127.0.0.2'));
    await until(() => server.waiting.length === 1);
    return { ...server, idle, busy };
  }

  test('another one gets the oldest that is idle, and the rest stay', async () => {
    const { open, idle, busy, waiting, ended } = await fill();
    const closed = once((idle[0] as Socket).resume(), 'close');
    expect(await served(open(['/fast'], from('127.0.0.3')))).toBe(true);
    await closed;
    expect(ended).toEqual(['made_room']);
    waiting[0]?.send('late');
    expect(String((await once(busy, 'data'))[0])).toContain('late');
    expect((idle[1] as Socket).closed).toBe(false);
  });

  test('it gets no further one, and neither does another that has as many', async () => {
    const { open, ended, connections } = await fill();
    await once(open(['/fast'], from('127.0.0.2')).resume(), 'close');
    expect(ended).toEqual(['max_connections']);
    await until(async () => (await connections()) === 3);
    expect(await served(open(['/fast'], from('127.0.0.3')))).toBe(true);
    await until(async () => (await connections()) === 3);
    await once(open(['/fast'], from('127.0.0.3')).resume(), 'close');
    expect(ended).toEqual(['max_connections', 'made_room', 'max_connections']);
  });

  test('those of a trusted proxy stay', async () => {
    const { open, ended } = await fill('127.0.0.2');
    await once(open(['/fast'], from('127.0.0.3')).resume(), 'close');
    expect(ended).toEqual(['max_connections']);
  });
});
