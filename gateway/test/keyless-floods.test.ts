import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '../../testing/until.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const behindProxy = useGateway({ trustProxy: 1 });
const path = '/api/v1/applications';

beforeEach(() => {
  for (const { tracking } of [api, behindProxy])
    tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Every test floods from an address of its own: its limit lasts a minute. */
let host = 10;
const ownAddress = () => `127.0.0.${++host}`;

/** A connection on which each request waits for the answers before it. */
async function open(from: string, { url } = api) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  let received = '';
  let answers = 0;
  socket.on('error', () => {}).on('data', (chunk: Buffer) => (received += chunk));
  await once(socket, 'connect');
  const heads = () => [...received.matchAll(/HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/g)];
  return {
    socket,
    /** Sends the requests at once. Returns the status and whether it says close, of each answer. */
    async ask(...requests: [target: string, headers?: string][]): Promise<[number, boolean][]> {
      for (const [target, headers = ''] of requests)
        socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      await until(() => heads().length >= answers + requests.length || socket.closed);
      const own = heads().slice(answers);
      answers += own.length;
      return own.map(([head, status]) => [Number(status), /^connection: close/im.test(head)]);
    },
  };
}

/** Spends the calls without a key of an address, on connections of their own. */
async function exhaust(from: string, booted = api): Promise<void> {
  for (let connection = 0; connection < 3; connection++) {
    const { ask, socket } = await open(from, booted);
    const requests = Array.from({ length: 10 }, (): [string] => [path]);
    expect(await ask(...requests)).toEqual(requests.map(() => [401, false]));
    expect(socket.closed).toBe(false);
  }
}

test.each([1, 3])(
  'over the limit of its address, a connection that carried nothing but refused calls is closed, with all of its %d calls',
  async (count) => {
    const from = ownAddress();
    await exhaust(from);
    const { ask, socket } = await open(from);
    expect(await ask(...Array.from({ length: count }, (): [string] => [path]))).toEqual([[429, true]]);
    await until(() => socket.closed);
  },
);

test('a connection that carried a page stays open', async () => {
  const from = ownAddress();
  await exhaust(from);
  const { ask } = await open(from);
  expect(await ask(['/healthz'])).toEqual([[200, false]]);
  expect(await ask([path])).toEqual([[429, false]]);
  expect(await ask(['/healthz'])).toEqual([[200, false]]);
});

test('a connection of a valid key stays open, whatever it carried, and so does one on which a key may follow', async () => {
  const from = ownAddress();
  await exhaust(from);
  const valid: [string, string] = [path, `X-API-Key: ${api.key}\r\n`];
  const first = await open(from);
  expect(await first.ask(valid)).toEqual([[200, false]]);
  expect(await first.ask([path], [path])).toEqual([
    [429, false],
    [429, false],
  ]);
  const second = await open(from);
  expect(await second.ask([path], valid)).toEqual([
    [429, false],
    [200, false],
  ]);
  expect(await second.ask([path])).toEqual([[429, false]]);
});

test('a connection of a trusted proxy stays open', async () => {
  const from = ownAddress();
  await exhaust(from, behindProxy);
  const { ask } = await open(from, behindProxy);
  for (let call = 0; call < 3; call++) expect(await ask([path])).toEqual([[429, false]]);
  const other = await ask([path, `X-Forwarded-For: 10.9.9.9\r\nX-API-Key: ${behindProxy.key}\r\n`]);
  expect(other).toEqual([[200, false]]);
});

test('refusals of a flood have one log line', async () => {
  const from = ownAddress();
  await exhaust(from);
  const refused = () => api.lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 429);
  const before = refused().length;
  for (let call = 0; call < 20; call++) await (await open(from)).ask([path]);
  const { ask } = await open(from);
  expect(await ask(['/healthz'], [path])).toEqual([
    [200, false],
    [429, false],
  ]);
  expect(refused().length - before).toBeLessThanOrEqual(1);
});
