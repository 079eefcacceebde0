import { request } from 'node:http';
import { connect } from 'node:net';
import { AppError } from '@shelfwise/runtime/errors';
import { until } from '../../testing/until.ts';
import { getAccountUsage } from '../src/routes/get-account-usage.ts';
import { plansWith } from './harness/plans-with.ts';
import { probe } from './harness/probe-route.ts';
import { useGateway } from './harness/use-gateway.ts';

const plans = plansWith({
  three: { api_requests_per_month: 3 },
  endless: {},
  none: { api_requests_per_month: 0 },
});

/** Its deadline is only awaited: no service answers it. */
const hastyProbe = { ...probe, path: '/api/v1/hasty/{id}', operationId: 'hasty', deadlineMs: 300 };
const api = useGateway({ plans, routes: [probe, hastyProbe, getAccountUsage] });
const path = '/api/v1/probe/1';

async function spent(key: string): Promise<number> {
  return (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage.api_requests;
}

beforeEach(() => {
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
});

test('a month’s requests can be spent to the last one; the next is QUOTA_EXCEEDED with the usage', async () => {
  const { key } = await api.createKey('three');
  for (let call = 1; call <= 3; call++) {
    expect((await api.call('GET', path, { key })).status).toBe(200);
    expect(await spent(key)).toBe(call);
  }
  const refused = await api.call('GET', path, { key });
  expect(refused).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  expect(refused.body.error).toBe(
    'All 3 API requests of this month are spent. The next month begins at 2026-07-01T00:00:00.000Z.',
  );
  expect(refused.body.usage).toEqual({
    api_requests: 3,
    api_requests_per_month: 3,
    renews_at: '2026-07-01T00:00:00.000Z',
  });
  for (const name of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-reset'])
    expect(refused.headers.get(name)).toBeNull();
  expect(await spent(key)).toBe(3);
});

test('a call with wrong parameters spends nothing', async () => {
  const { key } = await api.createKey('three');
  expect((await api.call('GET', '/api/v1/probe/x', { key })).status).toBe(400);
  expect((await api.call('GET', '/api/v1/probe/1/2', { key })).status).toBe(404);
  expect(await spent(key)).toBe(0);
});

test('wrong parameters are reported before an exceeded quota', async () => {
  const { key } = await api.createKey('none');
  expect(await api.call('GET', '/api/v1/probe/x', { key })).toMatchObject({ status: 400 });
  expect(await api.call('GET', path, { key })).toMatchObject({
    status: 429,
    body: {
      error: 'Your plan has no API requests (api_requests_per_month is 0).',
      code: 'QUOTA_EXCEEDED',
      usage: { api_requests: 0, api_requests_per_month: 0 },
    },
  });
});

test('a call that fails because an empty page is not believed yet is spent, and its answer has no mark', async () => {
  const { key } = await api.createKey('three');
  const fail = async () => {
    throw new AppError('STORE_FETCH_FAILED', 'The store shows no results.', { isUnproven: true });
  };
  api.tracking.answer({ getTotals: fail });
  const answer = await api.call('GET', path, { key });
  expect([answer.status, answer.body]).toEqual([
    502,
    { error: 'The store shows no results.', code: 'STORE_FETCH_FAILED' },
  ]);
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  expect(await spent(key)).toBe(1);
});

test('a caller that disconnects has spent the request, and the service is aborted', async () => {
  const { key } = await api.createKey('three');
  const aborted = new Promise<void>((resolve) => {
    api.tracking.answer({
      getTotals: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve();
            reject(signal.reason);
          });
          sent.destroy();
        }),
    });
  });
  api.clock.advance(1000);
  const sent = request(`${api.url}${path}`, { headers: { 'x-api-key': key } });
  sent.once('error', () => {}).end();
  await aborted;
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  expect(await spent(key)).toBe(1);
});

test('a caller that disconnects aborts all calls that it has sent over one connection', async () => {
  const { key } = await api.createKey('endless');
  let running = 0;
  let aborted = 0;
  api.tracking.answer({
    getTotals: (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        running++;
        signal.addEventListener('abort', () => {
          aborted++;
          reject(signal.reason);
        });
      }),
  });
  api.clock.advance(1020);
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`.repeat(3));
  await until(() => running === 3);
  socket.destroy();
  await until(() => aborted === 3);
});

test('a caller that disconnects gets no refund, even when the call fails', async () => {
  const { key } = await api.createKey('three');
  api.tracking.answer({
    getTotals: () => {
      sent.destroy();
      return new Promise(() => {});
    },
  });
  api.clock.advance(1020);
  const headers = { 'x-api-key': key, 'x-request-id': 'left-early' };
  const sent = request(`${api.url}${path}`, { headers });
  sent.once('error', () => {}).end();
  // A refund would be written directly after this log line.
  await until(() => api.lines.some((line) => /left-early.*the caller disconnected/.test(line)));
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  for (let look = 0; look < 3; look++) expect(await spent(key)).toBe(1);
});

test('a service that does not answer is 503 at the deadline of the endpoint, and costs nothing', async () => {
  const { key } = await api.createKey('three');
  let finish: () => void = () => {};
  api.tracking.answer({
    getTotals: () =>
      new Promise((resolve) => {
        finish = () => resolve({ apps: 1, keywords: 0, competitors: 0 });
      }),
  });
  const answer = await api.call('GET', '/api/v1/hasty/1', { key });
  finish();
  expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(answer.headers.get('retry-after')).toBe('5');
  api.tracking.answer({ getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }) });
  expect(await spent(key)).toBe(0);
});

test('the next calendar month starts with nothing spent', async () => {
  const { key } = await api.createKey('three');
  for (let call = 0; call < 3; call++) await api.call('GET', path, { key });
  expect((await api.call('GET', path, { key })).status).toBe(429);
  api.clock.setBy(Date.parse('2026-07-01T00:00:00Z') - api.clock.now().getTime());
  expect((await api.call('GET', path, { key })).status).toBe(200);
  expect(await spent(key)).toBe(1);
});
