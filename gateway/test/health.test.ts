import { Agent, get } from 'node:http';
import { bootGateway } from './harness/boot-gateway.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A gateway of the test's own, which the test may stop. */
async function start() {
  const booted = await bootGateway({ shownSettings: { 'store source': 'sample' } });
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

test('/healthz says that the process is alive, without a key', async () => {
  const { url } = await start();
  expect(await read(url, '/healthz')).toEqual({ status: 200, body: { status: 'alive' } });
});

test('/readyz shows every part of the gateway and its services, without a key', async () => {
  const { url } = await start();
  const { status, body } = await read(url, '/readyz');
  expect(status).toBe(200);
  // Rate windows in the process are worth knowing, and no reason to send nobody here.
  expect(body).toEqual({
    status: 'degraded',
    services: {
      gateway: [
        { name: 'database', state: 'ok', detail: 'embedded, answers', is_embedded: true },
        { name: 'rate windows', state: 'degraded', detail: expect.any(String), is_embedded: true },
      ],
      tracking: [{ name: 'store source', state: 'ok', detail: 'sample', is_embedded: true }],
      'store-fetch': [{ name: 'store source', state: 'ok', detail: 'sample', is_embedded: true }],
    },
    settings: { 'store source': 'sample' },
  });
});

test('/readyz is 503 when a service is down', async () => {
  const { url, tracking } = await start();
  await tracking.stop();
  const { status, body } = await read(url, '/readyz');
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'down', services: { tracking: [{ state: 'down' }] } });
});

test('without its database the gateway is not ready, says 503 to calls, and tells nothing of its address', async () => {
  const { url, key, connection } = await start();
  await connection.close();
  const { status, body } = await read(url, '/readyz');
  expect(status).toBe(503);
  expect(body.services.gateway?.[0]).toEqual({
    name: 'database',
    state: 'down',
    detail: 'does not answer',
    is_embedded: false,
  });
  const answer = await fetch(`${url}/api/v1/applications`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('a gateway that is about to stop is not ready and still answers', async () => {
  const { gateway, tracking, url, key } = await start();
  tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
  gateway.announceDraining();
  expect(await read(url, '/readyz')).toMatchObject({ status: 503, body: { status: 'draining' } });
  const answer = await fetch(`${url}/api/v1/applications`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
});

test('a stop lets calls in flight finish, takes no new ones, and does not wait for idle connections', async () => {
  const { gateway, tracking, port, key, url } = await start();
  let finish: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    tracking.answer({
      listApplications: () =>
        new Promise((answer) => {
          finish = () => answer({ applications: [], total: 0 });
          resolve();
        }),
    });
  });
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  await statusOf(agent, port, '/healthz', key);
  const inFlight = statusOf(agent, port, '/api/v1/applications', key);
  await reached;

  const startedAt = performance.now();
  const stopped = gateway.stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  finish();
  expect(await inFlight).toBe(200);
  await stopped;
  expect(performance.now() - startedAt).toBeLessThan(3000);
});

function statusOf(agent: Agent, port: number, path: string, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ agent, port, path, headers: { 'x-api-key': key } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}
