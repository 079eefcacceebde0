import { once } from 'node:events';
import { connect } from 'node:net';
import { storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications';

/** The calls that reached tracking and wait there. */
let waiting: (() => void)[] = [];
beforeEach(() => {
  waiting = [];
  api.tracking.answer({
    listApplications: () =>
      new Promise((resolve) => waiting.push(() => resolve({ applications: [], total: 0 }))),
  });
});

/** Waits until that many calls wait in tracking. */
async function until(count: number): Promise<void> {
  while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve));
}

async function startCalls(key: string, count: number) {
  const calls = [];
  for (let call = 0; call < count; call++) {
    calls.push(api.call('GET', path, { key }));
    await until(call + 1);
  }
  return calls;
}

const usageOf = (id: string) => api.connection.collection('usage').findOne({ account_id: id });

test('20 calls of an account may be in flight; the next is 503 with Retry-After and spends nothing', async () => {
  const { key, id } = await api.createKey();
  const calls = await startCalls(key, 20);
  const spending = `/api/v1/autocomplete?${new URLSearchParams({ prefix: 'habit', ...storefront })}`;
  for (const one of [path, spending, `${path}?app_id=x`]) {
    const refused = await api.call('GET', one, { key });
    expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(refused.body.error).toContain('20 calls in progress');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect(await usageOf(id)).toBeNull();
  expect(api.storeFetch.requests).toEqual([]);

  // Another account is not affected.
  const other = api.call('GET', path, { key: (await api.createKey()).key });
  await until(21);
  waiting.pop()?.();
  expect((await other).status).toBe(200);

  // A slot is free as soon as a call is answered.
  waiting.shift()?.();
  expect((await calls.shift())?.status).toBe(200);
  const next = api.call('GET', path, { key });
  await until(20);
  for (const finish of waiting) finish();
  expect((await next).status).toBe(200);
  for (const call of calls) expect((await call).status).toBe(200);
});

test('a full window is answered before too many calls in flight', async () => {
  const { key } = await api.createKey();
  const calls = await startCalls(key, 20);
  const statuses = [];
  for (let call = 0; call < 6; call++)
    statuses.push((await api.call('GET', path, { key, withoutPause: call > 0 })).status);
  expect(statuses).toEqual([503, 503, 503, 503, 503, 429]);
  for (const finish of waiting) finish();
  await Promise.all(calls);
});

test('a call whose body is still arriving is in flight', async () => {
  const { key } = await api.createKey();
  const sockets = Array.from({ length: 20 }, () => connect(Number(new URL(api.url).port), '127.0.0.1'));
  for (const socket of sockets) {
    // The gateway asks for the body once the call has its slot.
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    );
    await once(socket, 'data');
  }
  expect((await api.call('GET', path, { key })).status).toBe(503);
  for (const socket of sockets) socket.destroy();
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
  // The gateway notices soon that the callers have left.
  let { status } = await api.call('GET', path, { key });
  while (status !== 200) ({ status } = await api.call('GET', path, { key }));
});
