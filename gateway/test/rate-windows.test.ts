import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications';

beforeEach(() => {
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
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
