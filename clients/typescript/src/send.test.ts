import type { ApiError } from './errors.ts';
import { operations } from './generated/operations.ts';
import { createSend, type SendSettings } from './send.ts';

const baseUrl = 'http://api/base';

type Reply = { status?: number; headers?: Record<string, string>; body: string };

/** Answers with these replies in their order; a pause ends at once. */
function fakeApi(replies: (Reply | Error)[], settings: Partial<SendSettings> = {}) {
  const requests: { url: string; options: RequestInit }[] = [];
  const pauses: number[] = [];
  const send = createSend({
    baseUrl,
    apiKey: 'secret-key',
    userAgent: 'test',
    timeoutMs: null,
    maxRetries: 5,
    maxWaitMs: 120_000,
    onRetry: () => {},
    pause: async (ms) => void pauses.push(Math.floor(ms / 1000)),
    nowMs: () => 0,
    fetch: async (url, options = {}) => {
      requests.push({ url: String(url), options });
      const reply = replies.shift() ?? new Error('there is no reply');
      if (reply instanceof Error) throw reply;
      return new Response(reply.body, { status: reply.status ?? 200, headers: reply.headers ?? {} });
    },
    ...settings,
  });
  return { send, requests, pauses };
}

const limited = (seconds: number): Reply => ({
  status: 429,
  headers: {
    'retry-after': String(seconds),
    'x-ratelimit-limit': '60',
    'x-ratelimit-reset': '1795292401',
    'x-request-id': 'r1',
  },
  body: '{"error":"Slow down.","code":"RATE_LIMITED"}',
});
const busy: Reply = {
  status: 503,
  headers: { 'retry-after': '2' },
  body: '{"error":"It is busy.","code":"SERVICE_UNAVAILABLE"}',
};
const good: Reply = { body: '{"data":1}', headers: { 'x-request-id': 'r2' } };
const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

describe('a request', () => {
  test('has the key in a header, its parameters where they belong, and follows no redirect', async () => {
    const { send, requests } = fakeApi([good, good]);
    await send(operations.listKeywordGap, { id: 7, min_traffic: 0, sort: undefined }, { requestId: 'mine' });
    expect(requests[0]?.url).toBe(`${baseUrl}/api/v1/applications/7/keyword-gap?min_traffic=0`);
    expect(requests[0]?.options).toMatchObject({
      method: 'GET',
      redirect: 'manual',
      body: null,
      headers: { 'x-api-key': 'secret-key', 'x-request-id': 'mine' },
    });
    await send(operations.updateAlertRule, { rule_id: 3, app_id: null, threshold: undefined });
    expect(requests[1]?.url).toBe(`${baseUrl}/api/v1/alerts/rules/3`);
    expect(requests[1]?.options.body).toBe('{"app_id":null}');
  });

  test.each<[Record<string, unknown>, string]>([
    [{ id: '..' }, 'id must be an id, not “..”.'],
    [{}, 'id must be an id'],
    [{ id: 7, per_pge: 3 }, 'There is no parameter per_pge.'],
  ])('%j is refused before it is sent', async (input, message) => {
    const { send, requests } = fakeApi([]);
    await expect(send(operations.listKeywordGap, input)).rejects.toThrow(message);
    expect(requests).toEqual([]);
  });
});

test('an answer has data with its nulls, meta, warnings and the id of the request', async () => {
  const body = '{"data":[{"current_rank":null}],"meta":{"total":1,"warnings":["unknown_parameter: x"]}}';
  const { send } = fakeApi([{ body, headers: { 'x-request-id': 'r3' } }, good]);
  expect(await send(operations.listKeywords, {})).toEqual({
    data: [{ current_rank: null }],
    meta: { total: 1, warnings: ['unknown_parameter: x'] },
    warnings: ['unknown_parameter: x'],
    requestId: 'r3',
  });
  expect(await send(operations.listKeywords, {})).toEqual({
    data: 1,
    meta: {},
    warnings: [],
    requestId: 'r2',
  });
});

describe('a call is made again', () => {
  test('after a rate limit, whatever it does, as late as the API asks', async () => {
    const { send, pauses } = fakeApi([limited(2), limited(30), good]);
    expect((await send(operations.simulateMetadata, { title: 'Notes' })).data).toBe(1);
    expect(pauses).toEqual([2, 30]);
  });

  test('but not beyond its bounds', async () => {
    const patient = fakeApi([limited(70), limited(70)]);
    await expect(patient.send(operations.listKeywords, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(patient.pauses).toEqual([70]);
    const often = fakeApi([limited(1), limited(1), limited(1)]);
    await expect(often.send(operations.listKeywords, {}, { maxRetries: 2 })).rejects.toMatchObject({
      retryAfterMs: 1000,
      rateLimit: { limit: 60, resetAt: new Date(1_795_292_401_000) },
      requestId: 'r1',
    });
    expect(often.requests).toHaveLength(3);
  });

  test.each<[string, Reply | Error]>([
    ['while a service is busy', busy],
    ['while something in front of the API has no copy of it', { status: 502, body: '<html>' }],
    ['when there is no answer', refused],
  ])('%s, where that does nothing twice', async (_when, failure) => {
    for (const operation of [operations.listApplications, operations.untrackKeyword])
      expect((await fakeApi([failure, good]).send(operation, ids(operation.path))).data).toBe(1);
    const { send, requests } = fakeApi([failure, good]);
    await expect(send(operations.trackApplication, {})).rejects.toMatchObject({
      isRepeatable: false,
      isTemporary: true,
      advice: 'Look whether it was done before you make the call again.',
    });
    expect(requests).toHaveLength(1);
  });

  test('but not after its tries and waits have taken too long', async () => {
    const times = [0, 100_000, 100_000, 121_000];
    const { send, requests } = fakeApi([busy, busy, good], { nowMs: () => times.shift() ?? 0 });
    await expect(send(operations.getTopChart, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(requests).toHaveLength(2);
  });

  test.each<[number, string]>([
    [429, 'QUOTA_EXCEEDED'],
    [502, 'STORE_FETCH_FAILED'],
    [500, 'INTERNAL_ERROR'],
    [404, 'APP_NOT_FOUND'],
  ])('but not after %i %s', async (status, code) => {
    const { send, requests } = fakeApi([{ status, body: JSON.stringify({ error: 'No.', code }) }]);
    await expect(send(operations.listApplications, {})).rejects.toMatchObject({ code, status });
    expect(requests).toHaveLength(1);
  });
});

/** The ids that a path needs. */
function ids(path: string): Record<string, number> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 1]));
}

test('an error has what the API says of it', async () => {
  const details = { issues: { formErrors: [], fieldErrors: { country: ['is required'] } }, notes: [] };
  const wrong = JSON.stringify({ error: 'country is required', code: 'INVALID_PARAMS', details });
  const usage = { api_requests: 10, api_requests_per_month: 10, renews_at: '2026-12-01T00:00:00.000Z' };
  const spent = JSON.stringify({ error: 'Spent.', code: 'QUOTA_EXCEEDED', usage });
  const { send } = fakeApi([
    { status: 400, body: wrong },
    { status: 429, body: spent },
  ]);
  const first = await send(operations.searchApps, {}).catch((error: ApiError) => error);
  expect(first).toMatchObject({ message: 'country is required', status: 400, details, usage: null });
  expect(first).toMatchObject({ isTemporary: false, advice: 'details says which fields are wrong.' });
  const second = await send(operations.searchApps, {}).catch((error: ApiError) => error);
  expect(second).toMatchObject({ details: null, usage, isTemporary: false, retryAfterMs: null });
});

test.each<[string, Reply, string]>([
  ['a page of another server', { body: '<html>' }, 'HTTP_200'],
  ['JSON without data', { body: '{}' }, 'HTTP_200'],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://other/' } }, 'HTTP_302'],
  ['a redirect that looks like a refusal', { status: 307, body: limited(1).body }, 'HTTP_307'],
  ['an error of another server', { status: 404, body: '{"message":"no"}' }, 'HTTP_404'],
])('%s is no answer of the API', async (_what, reply, code) => {
  const { send } = fakeApi([reply]);
  await expect(send(operations.listApplications, {})).rejects.toMatchObject({
    code,
    message: expect.stringContaining('not an answer of the Shelfwise API'),
  });
});

test('a date in Retry-After that has passed is a short wait', async () => {
  const headers = { 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT' };
  const { send, pauses } = fakeApi([{ ...busy, headers }, good]);
  expect((await send(operations.listApplications, {})).data).toBe(1);
  expect(pauses).toHaveLength(1);
});

describe('the caller can end a call', () => {
  test('while it waits for its answer', async () => {
    const controller = new AbortController();
    const { send } = fakeApi([], {
      fetch: (_url, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          controller.abort(new Error('stop'));
        }),
    });
    await expect(send(operations.listApplications, {}, controller)).rejects.toThrow('stop');
  });

  test('before it is sent', async () => {
    const { send, requests } = fakeApi([good]);
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(send(operations.listApplications, {}, { signal })).rejects.toThrow('stop');
    expect(requests).toEqual([]);
  });
});

test('an answer without end is none of the API, and is not read on', async () => {
  let isCanceled = false;
  const chunk = new Uint8Array(2 ** 20).fill(32);
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(chunk),
    cancel: () => {
      isCanceled = true;
    },
  });
  const { send } = fakeApi([], { fetch: async () => new Response(endless) });
  await expect(send(operations.listApplications, {})).rejects.toMatchObject({ code: 'HTTP_200' });
  expect(isCanceled).toBe(true);
});

test('the own timeout of fetch is one, too', async () => {
  const late = Object.assign(new TypeError('fetch failed'), { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  const { send, requests } = fakeApi([late]);
  await expect(send(operations.analyzeNiche, {})).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(requests).toHaveLength(1);
});

test('an id that no log would take is refused before it is sent', async () => {
  const { send, requests } = fakeApi([]);
  const call = send(operations.listApplications, {}, { requestId: 'a\nb' });
  await expect(call).rejects.toThrow('requestId must be');
  expect(requests).toEqual([]);
});

test('a call without an answer ends after its time, and is not made again', async () => {
  let sent = 0;
  const { send } = fakeApi([], {
    fetch: (_url, options) =>
      new Promise((_resolve, reject) => {
        sent++;
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      }),
  });
  const late = send(operations.listApplications, {}, { timeoutMs: 5, requestId: 'mine' });
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError', requestId: 'mine', isTemporary: true });
  expect(sent).toBe(1);
});
