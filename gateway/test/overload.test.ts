import { once } from 'node:events';
import { connect } from 'node:net';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ isRemote: true });
const path = '/api/v1/applications';
/** Spends an API request. */
const spending = '/api/v1/applications/1/aso-health';

/** The calls that reached tracking and wait there. */
let waiting: (() => void)[] = [];
const keys: string[] = [];
beforeAll(async () => {
  for (let account = 0; account < 20; account++) keys.push((await api.createKey()).key);
});
beforeEach(async () => {
  waiting = [];
  await recover();
  api.tracking.answer({
    listApplications: () =>
      new Promise((resolve) => waiting.push(() => resolve({ applications: [], total: 0 }))),
  });
});

const callNow = (key: string, its = path) => api.call('GET', its, { key, withoutPause: true });

/** One call of each account, until all of them wait in tracking. */
async function startCalls(some: readonly string[]) {
  const calls = some.map((key) => callNow(key));
  while (waiting.length < some.length) await new Promise((resolve) => setImmediate(resolve));
  return calls;
}

async function finish(calls: readonly Promise<{ status: number }>[]): Promise<void> {
  for (const reply of waiting.splice(0)) reply();
  for (const call of calls) expect((await call).status).toBe(200);
}

/** Tracking answers everything late, until only eight calls of it may be in progress. */
async function overload(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const calls = await startCalls(keys.slice(0, 12));
    api.clock.advance(900);
    await finish(calls);
    // The windows of the accounts are never full.
    api.clock.advance(99);
  }
}

/** As in calm times: tracking answers all accounts quickly, long after it was late. */
async function recover(): Promise<void> {
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
  api.clock.advance(6000);
  for (const key of keys) expect((await callNow(key)).status).toBe(200);
}

async function countShedCalls(): Promise<number> {
  const text = await api.metrics.registry.metrics();
  return Number(/shelfwise_gateway_shed_calls_total\{service="tracking"\} (\d+)/.exec(text)?.[1] ?? 0);
}

async function limitOfTracking(): Promise<number> {
  const text = await api.metrics.registry.metrics();
  return Number(/shelfwise_gateway_in_flight_limit\{service="tracking"\} (\d+)/.exec(text)?.[1]);
}

test('while tracking answers late, calls over its limit are 503 at once, and cost neither quota nor calls of the rate windows', async () => {
  expect(await limitOfTracking()).toBe(100);
  const shedBefore = await countShedCalls();
  await overload();
  expect(await limitOfTracking()).toBe(8);
  const calls = await startCalls(keys.slice(0, 8));
  const { key, id } = await api.createKey();
  for (let call = 0; call < 8; call++) {
    const refused = await callNow(key, call % 2 === 0 ? path : spending);
    expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect(waiting).toHaveLength(8);
  expect(await api.connection.collection('usage').findOne({ account_id: id })).toBeNull();
  expect((await countShedCalls()) - shedBefore).toBe(8);

  await finish(calls);
  // Eight calls within a second would have filled its window.
  const admitted = await startCalls([key]);
  await finish(admitted);
});

test('calls of other services, health pages, wrong keys and full windows are answered as ever', async () => {
  await overload();
  const calls = await startCalls(keys.slice(0, 8));
  const [key = ''] = keys.slice(17);
  api.storeFetch.answer({ listAutocompletes: async () => ({ queries: [], total: 0 }) });
  expect((await callNow(key, '/api/v1/autocomplete/history')).status).toBe(200);
  expect((await callNow(key)).status).toBe(503);
  expect((await callNow('sw_live_unknown')).status).toBe(401);
  expect((await api.call('GET', '/healthz', { key: null, withoutPause: true })).status).toBe(200);
  for (let call = 0; call < 5; call++) await callNow(key, '/api/v1/autocomplete/history');
  expect((await callNow(key)).status).toBe(429);
  await finish(calls);
});

test('a service that does not answer at all sheds nothing', async () => {
  api.tracking.answer({
    listApplications: () =>
      new Promise((_, reject) => waiting.push(() => reject(new Error('it does not answer')))),
  });
  for (let round = 0; round < 3; round++) {
    const calls = await startCalls(keys.slice(0, 12));
    api.clock.advance(900);
    for (const fail of waiting.splice(0)) fail();
    for (const call of calls) expect((await call).status).toBe(500);
    api.clock.advance(99);
  }
  expect(await limitOfTracking()).toBe(100);
});

test('clients that send their bodies slowly shed nothing', async () => {
  for (let round = 0; round < 3; round++) {
    const sockets = keys.slice(0, 12).map((key) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      );
      return socket;
    });
    // The gateway asks for the body.
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    api.clock.advance(900);
    for (const socket of sockets) socket.write('{}');
    while (waiting.length < sockets.length) await new Promise((resolve) => setImmediate(resolve));
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const reply of waiting.splice(0)) reply();
    for (const [answer] of await Promise.all(answers)) expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
    api.clock.advance(99);
  }
  expect(await limitOfTracking()).toBe(100);
});

test('bodies that never come take no slot from others', async () => {
  const attackers: string[] = [];
  for (let account = 0; account < 10; account++) attackers.push((await api.createKey()).key);
  const sockets = attackers.flatMap((key) =>
    Array.from({ length: 15 }, () => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.write(
        `GET ${spending} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      );
      return socket;
    }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  const others = await startCalls(keys);
  await finish(others);
  for (const socket of sockets) socket.destroy();
});

test('services have the names that all metrics give them', async () => {
  const text = await api.metrics.registry.metrics();
  const services = [...text.matchAll(/^shelfwise_gateway_in_flight_limit\{service="([^"]+)"\}/gm)].map(
    ([, service]) => service,
  );
  expect(services).toEqual(['tracking', 'scoring', 'store-fetch', 'niche', 'chart', 'notify']);
});
