import { createApi } from './create-api.ts';
import { endpoints } from './endpoints.ts';

const baseUrl = 'http://api/base';

type Reply = { status?: number; headers?: Record<string, string>; body: string };

/** Answers with these replies in their order; a pause ends at once. */
function fakeApi(
  replies: (Reply | Error)[],
  { signal = new AbortController().signal, timeoutMs = 1000 } = {},
) {
  const requests: { url: string; options: RequestInit }[] = [];
  const pauses: number[] = [];
  const send: typeof fetch = async (url, options = {}) => {
    requests.push({ url: String(url), options });
    const reply = replies.shift() ?? new Error('there is no reply');
    if (reply instanceof Error) throw reply;
    return new Response(reply.body, { status: reply.status ?? 200, headers: reply.headers ?? {} });
  };
  const api = createApi({
    baseUrl,
    signal,
    timeoutMs,
    key: 'secret-key',
    userAgent: 'test',
    fetch: send,
    clock: { nowMs: () => 0, pause: async (ms) => void pauses.push(ms), every: () => () => {} },
    onWait: () => {},
    onSlow: () => {},
  });
  return { api, requests, pauses };
}

const limited = (seconds: string): Reply => ({
  status: 429,
  headers: { 'retry-after': seconds },
  body: '{"error":"Slow down.","code":"RATE_LIMITED"}',
});
const busy: Reply = {
  status: 503,
  headers: { 'retry-after': '1' },
  body: '{"error":"It is busy.","code":"SERVICE_UNAVAILABLE"}',
};
const good: Reply = { body: '{"data":1}' };

test('the key goes in a header, to no other address', async () => {
  const { api, requests } = fakeApi([good]);
  const input = { params: { id: '7' }, query: { search: 'a&b' } };
  expect(await api.call(endpoints.listKeywordGap, input)).toEqual({ text: good.body, data: 1, meta: {} });
  expect(requests[0]?.url).toBe(`${baseUrl}/api/v1/applications/7/keyword-gap?search=a%26b`);
  expect(requests[0]?.url).not.toContain('secret-key');
  expect(requests[0]?.options).toMatchObject({ redirect: 'error', headers: { 'x-api-key': 'secret-key' } });
});

test('a rate limit is waited for as often as it takes, but not without end', async () => {
  const patient = fakeApi([limited('2'), limited('30'), good]);
  expect((await patient.api.call(endpoints.simulateMetadata, { body: {} })).data).toBe(1);
  expect(patient.pauses).toEqual([2000, 30_000]);
  const endless = fakeApi([limited('200'), limited('200')]);
  await expect(endless.api.call(endpoints.listApplications)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(endless.pauses).toEqual([200_000]);
});

test('a busy service is asked again only where that is harmless', async () => {
  expect((await fakeApi([busy, good]).api.call(endpoints.listApplications)).data).toBe(1);
  expect((await fakeApi([busy, good]).api.call(endpoints.trackKeywords, { body: {} })).data).toBe(1);
  const writing = fakeApi([busy, good]).api.call(endpoints.trackApplication, { body: {} });
  await expect(writing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test.each<[string, Reply]>([
  ['a page of another server', { body: '<html>' }],
  ['JSON without data', { body: '{}' }],
  ['an error page', { status: 502, body: '<html>' }],
])('%s is no answer of the API', async (_what, reply) => {
  const { api } = fakeApi([reply]);
  await expect(api.call(endpoints.listApplications)).rejects.toThrow('not an answer of the Shelfwise API');
});

test('JSON is no CSV', async () => {
  const { api } = fakeApi([{ body: '{"data":1}', headers: { 'content-type': 'application/json' } }]);
  await expect(api.callCsv(endpoints.listApplications)).rejects.toThrow('not an answer of the Shelfwise API');
});

test('a CSV says how many rows there are, and whether there is another page', async () => {
  const link = '<?page=2>; rel="next"';
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'x-total-count': '7', link };
  const { api, requests } = fakeApi([{ body: 'a\r\n', headers }]);
  expect(await api.callCsv(endpoints.listAlerts)).toEqual({ text: 'a\r\n', total: 7, hasMore: true });
  expect(requests[0]?.options.headers).toMatchObject({ accept: 'text/csv' });
});

test('an interruption is passed on, and a failure names the address', async () => {
  const reason = new Error('stop');
  const { api } = fakeApi([new Error('aborted')], { signal: AbortSignal.abort(reason) });
  await expect(api.call(endpoints.listApplications)).rejects.toBe(reason);
  const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  const unreachable = fakeApi([refused]).api.call(endpoints.listApplications);
  await expect(unreachable).rejects.toThrow(`The API at ${baseUrl} cannot be reached (ECONNREFUSED)`);
});
