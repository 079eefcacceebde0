import { Agent, get } from 'node:http';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import type { Gateway, GatewayDeps } from '../src/gateway.ts';
import { bootGateway } from './harness/boot-gateway.ts';
import { probe } from './harness/probe-route.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';
import { storefront } from './harness/sample-replies.ts';

const closing = useClosing();

/** Starts a gateway of the test's own, which the test may stop. */
async function start(options: Partial<GatewayDeps> = {}) {
  const booted = await bootGateway({
    isRemote: true,
    shownSettings: { 'store source': 'sample' },
    ...options,
  });
  closing.push(booted.stop);
  const { key } = await booted.gateway.accounts.create({ email: 'a@example.com', plan: 'unlimited' });
  return { ...booted, key };
}

const read = async (url: string, path: string) => {
  const response = await fetch(`${url}${path}`);
  return {
    status: response.status,
    body: (await response.json()) as { services: Record<string, unknown[]> },
  };
};

/** The first reading connects to the services; on a busy machine the page does not wait for that and shows them as down. */
async function untilConnected(gateway: Pick<Gateway, 'readReadiness'>): Promise<void> {
  await until(async () => {
    const { services } = await gateway.readReadiness();
    return Object.values(services).every((parts) => parts.every(({ state }) => state !== 'down'));
  });
}

test('/healthz says that the process is alive, without a key', async () => {
  const { url } = await start();
  expect(await read(url, '/healthz')).toEqual({ status: 200, body: { status: 'alive' } });
});

test('/readyz shows every part of the gateway and its services, without a key', async () => {
  const { url, gateway } = await start();
  await untilConnected(gateway);
  const { status, body } = await read(url, '/readyz');
  expect(status).toBe(200);
  // Rate windows in memory are reported, but they do not make the gateway unready.
  const sample = [{ name: 'store source', state: 'ok', is_embedded: true }];
  expect(body).toEqual({
    status: 'degraded',
    services: {
      gateway: [
        { name: 'database', state: 'ok', is_embedded: true },
        { name: 'rate windows', state: 'degraded', is_embedded: true },
      ],
      tracking: sample,
      scoring: sample,
      'store-fetch': sample,
      niche: sample,
      chart: sample,
      notify: sample,
    },
    settings: { 'store source': 'sample' },
  });
});

test('operators read the same parts with their details, which the public page does not show', async () => {
  const { url, gateway } = await start();
  await untilConnected(gateway);
  const { services } = await gateway.readReadiness();
  expect(services.gateway).toEqual([
    { name: 'database', state: 'ok', detail: 'embedded, answers', is_embedded: true },
    { name: 'rate windows', state: 'degraded', detail: expect.any(String), is_embedded: true },
  ]);
  expect(services.tracking).toEqual([
    { name: 'store source', state: 'ok', detail: 'sample', is_embedded: true },
  ]);
  expect(await (await fetch(`${url}/readyz`)).text()).not.toContain('detail');
});

test.each([
  ['tracking', 'tracking'],
  ['scoring', 'scoring'],
  ['storeFetch', 'store-fetch'],
  ['niche', 'niche'],
  ['chart', 'chart'],
  ['notify', 'notify'],
] as const)(
  'while %s is down, /readyz says so and stays 200, because the gateway answers what the others can',
  async (service, name) => {
    const { url, services } = await start();
    await services[service].stop();
    const { status, body } = await read(url, '/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'degraded', services: { [name]: [{ state: 'down' }] } });
  },
);

test('without its database the gateway is not ready, answers calls with 503, and does not reveal the address', async () => {
  const { url, key, connection, gateway } = await start();
  await connection.close();
  const { status, body } = await read(url, '/readyz');
  expect(status).toBe(503);
  expect(body.services.gateway?.[0]).toEqual({ name: 'database', state: 'down', is_embedded: true });
  const { services } = await gateway.readReadiness();
  expect(services.gateway?.[0]?.detail).toBe('the database does not answer');
  const answer = await fetch(`${url}/api/v1/applications`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('without its database, neither /readyz nor calls with keys that cannot be looked up have a log line each', async () => {
  const { logger, lines } = createRecordingLogger();
  const { url, connection } = await start({ logger });
  await connection.close();
  const before = lines.length;
  for (let call = 0; call < 10; call++) {
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const headers = { 'x-api-key': `sw_live_${'x'.repeat(42)}${call}` };
    expect((await fetch(`${url}/api/v1/applications`, { headers })).status).toBe(503);
  }
  const requests = lines.slice(before).map((line) => JSON.parse(line));
  expect(requests.filter(({ msg }) => msg === 'request').map(({ route, status }) => [route, status])).toEqual(
    [
      ['/readyz', 503],
      ['unmatched', 503],
    ],
  );
});

test('a draining gateway is not ready, still answers, and closes each connection with its next answer', async () => {
  const { gateway, services, port, key } = await start();
  services.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
  const paths = ['/readyz', '/api/v1/applications', '/healthz'];
  const agents = paths.map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  closing.push(() => agents.forEach((agent) => void agent.destroy()));
  const ask = (path: string, agent: Agent) => answerOf(agent, port, path, key);
  const askAll = () => Promise.all(paths.map((path, index) => ask(path, agents[index] as Agent)));

  expect(await askAll()).toEqual([
    { status: 200, connection: 'keep-alive', isReused: false },
    { status: 200, connection: 'keep-alive', isReused: false },
    { status: 200, connection: 'keep-alive', isReused: false },
  ]);
  gateway.announceDraining();
  for (const isReused of [true, false])
    expect(await askAll()).toEqual([
      { status: 503, connection: 'close', isReused },
      { status: 200, connection: 'close', isReused },
      { status: 200, connection: 'close', isReused },
    ]);
});

/** Lets a call of /api/v1/applications hang in its service until `finish`. */
function hangApplications({ services }: Awaited<ReturnType<typeof start>>) {
  let finish: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    services.tracking.answer({
      listApplications: () =>
        new Promise((answer) => {
          finish = () => answer({ applications: [], total: 0 });
          resolve();
        }),
    });
  });
  return { reached, finish: () => finish() };
}

/** A stop that waits for what it should not wait for takes longer than a test may. */
const waitsLong = { abortCallsAfterMs: 600_000, closeConnectionsAfterMs: 600_000 };

test('a call that started before the drain closes its connection, too', async () => {
  const booted = await start();
  const { reached, finish } = hangApplications(booted);
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  const inFlight = answerOf(agent, booted.port, '/api/v1/applications', booted.key);
  await reached;
  booted.gateway.announceDraining();
  finish();
  expect(await inFlight).toEqual({ status: 200, connection: 'close', isReused: false });
});

test('a stop lets calls in flight finish, accepts no new ones, and does not wait for idle connections', async () => {
  const booted = await start({ drain: waitsLong });
  const { gateway, port, key, url } = booted;
  const { reached, finish } = hangApplications(booted);
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  await answerOf(agent, port, '/healthz', key);
  const inFlight = answerOf(agent, port, '/api/v1/applications', key);
  await reached;

  const stopped = gateway.stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  finish();
  expect(await inFlight).toMatchObject({ status: 200 });
  await stopped;
});

const never = () => new Promise<never>(() => {});

test('a stop answers calls that wait for a hanging store with 503, and nothing is spent', async () => {
  const { gateway, services, connection, key, url } = await start({
    drain: { ...waitsLong, abortCallsAfterMs: 50 },
  });
  const reached = new Promise<void>((resolve) => {
    services.storeFetch.answer({
      runAutocomplete: () => {
        resolve();
        return never();
      },
    });
  });
  const headers = { 'x-api-key': key };
  const query = new URLSearchParams({ prefix: 'habit', ...storefront });
  const waiting = fetch(`${url}/api/v1/autocomplete?${query}`, { headers });
  await reached;

  const stopped = gateway.stop();
  const answer = await waiting;
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    error: 'The service is stopping. Try again.',
  });
  await stopped;
  expect(await connection.collection('usage').findOne({})).toMatchObject({
    api_requests: 0,
    autocomplete_queries: 0,
  });
});

test('a stop waits for the refund of a niche analysis whose caller has disconnected', async () => {
  const { gateway, services, connection, key, url } = await start({
    drain: { ...waitsLong, abortCallsAfterMs: 50 },
  });
  const leaving = new AbortController();
  const reached = new Promise<void>((resolve) => {
    services.niche.answer({
      analyzeNiche: async (_request, { onStarted }) => {
        onStarted?.();
        await fetch(`${url}/healthz`);
        resolve();
        return never();
      },
    });
  });
  const query = new URLSearchParams({ topic: 'habit tracker', ...storefront });
  const headers = { 'x-api-key': key };
  const left = fetch(`${url}/api/v1/niches?${query}`, { headers, signal: leaving.signal });
  const leftEarly = expect(left).rejects.toThrow();
  await reached;
  leaving.abort();
  await leftEarly;
  await gateway.stop();
  expect(await connection.collection('usage').findOne({})).toMatchObject({ niche_analyses: 0 });
});

test('a stop closes the connections of calls that do not finish', async () => {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const hanging = {
    ...probe,
    handler: () => {
      reach();
      return never();
    },
  };
  const { gateway, key, url } = await start({
    routes: [hanging],
    drain: { abortCallsAfterMs: 50, closeConnectionsAfterMs: 150 },
  });
  const waiting = fetch(`${url}/api/v1/probe/1`, { headers: { 'x-api-key': key } });
  const cutOff = expect(waiting).rejects.toThrow();
  await reached;
  await gateway.stop();
  await cutOff;
});

function answerOf(agent: Agent, port: number, path: string, key: string) {
  type Answer = { status: number | undefined; connection: string | undefined; isReused: boolean };
  return new Promise<Answer>((resolve, reject) => {
    const sent = get({ agent, port, path, headers: { 'x-api-key': key } }, (response) => {
      const { statusCode: status, headers } = response;
      const answer = { status, connection: headers.connection, isReused: sent.reusedSocket };
      response.resume().once('end', () => resolve(answer));
    }).once('error', reject);
  });
}
