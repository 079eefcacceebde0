import { Agent, request } from 'node:http';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications';

beforeEach(() => {
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
});

/** Sends one call over the agent's own connection. */
function callOn(agent: Agent, key: string): Promise<{ status: number; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    request(`${api.url}${path}`, { agent, headers: { 'x-api-key': key } }, (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .once('error', reject)
      .end();
  });
}

test('with 50 connections on one key, no second admits more than 5 calls and no minute 60', async () => {
  const { key } = await api.createKey();
  const agents = Array.from({ length: 50 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const admitted: number[] = [];
  const unexpected: unknown[] = [];
  // Bursts of 50 concurrent calls over more than a minute, at and around the edges of a second.
  for (const pauseMs of [
    0,
    999,
    1,
    500,
    500,
    1000,
    ...Array.from({ length: 12 }, () => 1000),
    41_997,
    1,
    1,
    1000,
  ]) {
    api.clock.advance(pauseMs);
    const answers = await Promise.all(agents.map((agent) => callOn(agent, key)));
    const refused = answers.filter(({ status }) => status !== 200);
    for (let call = refused.length; call < answers.length; call++) admitted.push(api.clock.monotonicMs());
    unexpected.push(
      ...refused.filter(({ status, headers }) => status !== 429 || !(Number(headers['retry-after']) >= 1)),
    );
  }
  expect(unexpected).toEqual([]);
  for (const agent of agents) agent.destroy();
  for (const start of admitted) {
    const within = (ms: number) => admitted.filter((time) => time >= start && time < start + ms).length;
    expect(within(1000)).toBeLessThanOrEqual(5);
    expect(within(60_000)).toBeLessThanOrEqual(59);
  }
  // The limit was reached: the minute is full.
  expect(admitted.length).toBeGreaterThanOrEqual(59);
});

test('59 calls in a minute are admitted, the 60th is not, and its headers say when the first call leaves the window', async () => {
  const { key } = await api.createKey();
  for (let call = 0; call < 59; call++) {
    expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(200);
    api.clock.advance(500);
  }
  const refused = await api.call('GET', path, { key, withoutPause: true });
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(refused.headers.get('x-ratelimit-limit')).toBe('60');
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBe(31); // 60 s - 59 * 0.5 s, rounded up
  api.clock.advance((seconds - 1) * 1000);
  expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(429);
  api.clock.advance(1000);
  expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(200);
});

test('refused calls do not count: a caller that hammers is admitted as early as one that waits', async () => {
  const { key } = await api.createKey();
  for (let call = 0; call < 5; call++) await api.call('GET', path, { key, withoutPause: true });
  for (let call = 0; call < 20; call++) {
    api.clock.advance(40);
    expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(429);
  }
  api.clock.advance(200);
  expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(200);
});

test('all endpoints share one window, and calls that fail count in it', async () => {
  const { key } = await api.createKey();
  const calls = [
    '/api/v1/applications',
    '/api/v1/applications?app_id=x',
    '/api/v1/unknown',
    '/nowhere',
    '/api/v1/%zz',
  ];
  const statuses = [];
  for (const one of calls) statuses.push((await api.call('GET', one, { key, withoutPause: true })).status);
  expect(statuses).toEqual([200, 400, 404, 404, 400]);
  expect((await api.call('GET', path, { key, withoutPause: true })).status).toBe(429);
});

test('the three headers come only with a 429', async () => {
  for (const one of [path, '/api/v1/unknown']) {
    const answer = await api.call('GET', one);
    for (const name of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-reset'])
      expect(answer.headers.get(name)).toBeNull();
  }
});

test('one key’s calls do not slow another key', async () => {
  const [one, other] = [await api.createKey(), await api.createKey()];
  for (let call = 0; call < 6; call++) await api.call('GET', path, { key: one.key, withoutPause: true });
  expect((await api.call('GET', path, { key: other.key, withoutPause: true })).status).toBe(200);
});
