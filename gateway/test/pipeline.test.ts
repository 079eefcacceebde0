import { request } from 'node:http';
import { AppError } from '@shelfwise/runtime/errors';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ isRemote: true });
const path = '/api/v1/applications';

beforeEach(() => {
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
});

test('every answer has an X-Request-Id, and the services receive the same one', async () => {
  const answer = await api.call('GET', path, { headers: { 'x-request-id': 'trace-7.A_b' } });
  expect(answer.headers.get('x-request-id')).toBe('trace-7.A_b');
  expect(api.tracking.requests[0]?.requestId).toBe('trace-7.A_b');
  for (const [method, one] of [
    ['GET', '/healthz'],
    ['GET', '/api/v1/unknown'],
    ['PUT', path],
    ['GET', '/docs'],
  ] as const)
    expect((await api.call(method, one)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ['GET', '/API/v1/applications'],
  ['GET', '/api/v1/Applications'],
  ['GET', '/api/v1/applications/'],
  ['DELETE', '/api/v1/applications/1/'],
  ['DELETE', '/api/v1/applications'.toUpperCase()],
  ['GET', '/healthz/'],
  ['GET', '/HEALTHZ'],
  ['GET', '/Docs'],
  ['GET', '/docs/'],
  ['GET', '/api/v1/openapi.json/'],
  ['POST', '/mcp/'],
  ['POST', '/MCP'],
  ['GET', '//api/v1/applications'],
])('%s %s is no path of the API: paths match exactly', async (method, one) => {
  expect(await api.call(method, one)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect((await api.call(method, one, { key: null })).body.code).toMatch(/MISSING_API_KEY|RATE_LIMITED/);
});

test('the services learn for which account they work', async () => {
  await api.call('GET', path);
  expect(api.tracking.requests[0]?.callerId).toBe(api.accountId);
});

test.each(['', 'a b', 'x'.repeat(65), 'é', '{"$gt":""}', 'sw_live_abc', 'x-SW_LIVE_abc'])(
  'a request id of "%s" is replaced',
  async (given) => {
    const headers = { 'x-request-id': encodeURIComponent(given) };
    const answer = await api.call('GET', path, { headers });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test.each([
  '/api/v1/nothing',
  '/api/v2/applications',
  '/nothing',
  '/api/v1/applications/1/2/3',
  '/api',
  '/healthz/x',
])('%s is 404 NOT_FOUND in the envelope, with a key', async (one) => {
  const answer = await api.call('GET', one);
  expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', error: expect.any(String) } });
  expect((await api.call('GET', one, { key: null })).body.code).toBe('MISSING_API_KEY');
});

test.each(['/api/v1/keywords/%zz/apps/1', '/api/v1/applications/%', '/api/v1/applications/%c3%28', '/%ff'])(
  'a path with broken percent-encoding, %s, is 400 in the envelope',
  async (one) => {
    const answer = await api.call('DELETE', one);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMS' } });
  },
);

test('headers forbid caching, type guessing and framing, and reveal nothing about the server', async () => {
  for (const one of [path, '/api/v1/unknown']) {
    const { headers } = await api.call('GET', one);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    for (const absent of ['x-powered-by', 'etag', 'access-control-allow-origin', 'server'])
      expect(headers.get(absent)).toBeNull();
  }
});

test('the size and the form of a body are checked only after the rate windows', async () => {
  const { key } = await api.createKey();
  for (let call = 0; call < 5; call++) await api.call('GET', path, { key, withoutPause: true });
  const headers = { 'content-type': 'application/json' };
  for (const raw of ['x'.repeat(300 * 1024), '{'])
    expect((await api.call('POST', path, { key, raw, headers, withoutPause: true })).status).toBe(429);
});

test('a key is checked before the body is read', async () => {
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
    const sent = request(`${api.url}${path}`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    // No byte of the body is sent.
    sent.once('error', reject).flushHeaders();
  });
  expect(answer).toBe(401);
});

test.each([
  ['gzip', 200],
  ['nonsense', 400],
])('a body compressed with %s is answered %s', async (encoding, status) => {
  const { gzipSync } = await import('node:zlib');
  const json = JSON.stringify({ app_id: '1', store: 'ITUNES', country: 'US', lang: 'en' });
  api.tracking.answer({ trackApplication: async () => ({ id: 1, app_id: '1', title: 'One' }) });
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  expect((await api.call('POST', path, { raw: new Uint8Array(gzipSync(json)), headers })).status).toBe(
    status,
  );
});

test('a small compressed body that decompresses to a huge one is 413', async () => {
  const { gzipSync } = await import('node:zlib');
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const raw = new Uint8Array(gzipSync(`{"app_id":"${'x'.repeat(5_000_000)}"}`));
  expect(refusalOf(await api.call('POST', path, { raw, headers }))).toBe('413 PAYLOAD_TOO_LARGE');
});

test('a GET with a body is answered like one without, unless the body is too large', async () => {
  const get = (body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      api.clock.advance(1000);
      const headers = { 'x-api-key': api.key, 'content-length': String(body.length) };
      request(`${api.url}${path}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end(body);
    });
  expect(await get('{not json')).toBe(200);
  expect(await get('x'.repeat(300 * 1024))).toBe(413);
});

test.each(['/healthz', '/readyz', '/docs', '/api/v1/openapi.json'])(
  'HEAD %s is answered like GET, without the body and without a key',
  async (one) => {
    const head = await api.call('HEAD', one, { key: null });
    expect([head.status, head.body]).toEqual([200, '']);
  },
);

test('a failure of a service is one warning, with the request id, the account, the code and the reason', async () => {
  api.lines.length = 0;
  api.tracking.fail('trackApplication', 'STORE_FETCH_FAILED', 'The store is down.');
  const body = { app_id: '1', store: 'ITUNES', country: 'US', lang: 'en' };
  await api.call('POST', path, { body, headers: { 'x-request-id': 'req-9' } });
  expect(api.lines.map((line) => JSON.parse(line)).filter(({ level }) => level > 20)).toMatchObject([
    {
      level: 40,
      msg: 'request',
      status: 502,
      request_id: 'req-9',
      account_id: api.accountId,
      code: 'STORE_FETCH_FAILED',
      reason: 'The store is down.',
    },
  ]);
});

test('the line of a refused request has the reason, in at most 500 characters', async () => {
  api.lines.length = 0;
  const body = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}`.padEnd(64, 'x'), 1]));
  await api.call('POST', path, { body });
  await api.call('GET', '/api/v1/nowhere');
  const [wrong, unknown] = api.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(wrong).toMatchObject({
    level: 30,
    code: 'INVALID_PARAMS',
    reason: expect.stringMatching(/^.{500}$/),
  });
  expect(unknown).toMatchObject({ level: 30, reason: 'There is no GET endpoint at this path.' });
});

test('health pages are logged at debug while they are fine', async () => {
  api.lines.length = 0;
  for (const one of ['/healthz', '/readyz', '/docs']) await api.call('GET', one, { key: null });
  await api.call('POST', '/healthz');
  const requests = api.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests.map(({ level, path: of, status }) => [of, status, level])).toEqual([
    ['/healthz', 200, 20],
    ['/readyz', 200, 20],
    ['/docs', 200, 30],
    ['/healthz', 405, 30],
  ]);
});

test('one line is logged per request; neither a key nor a query is in the log', async () => {
  api.lines.length = 0;
  await api.call('GET', `${path}?api_key=${api.key}`, { key: null });
  await api.call('GET', path);
  await api.call('GET', `/api/v1/${api.key}?secret=1`);
  await api.call('GET', `/api/v1/%zz${api.key}`);
  await api.call('GET', `/api/v1/${api.key.replace('_', '%5F')}`);
  await api.call('GET', `/api/v1/${api.key.replace('s', '%73').replace('_', '%255f')}`);
  await api.call('GET', `/api/v1/${api.key.slice(0, 8)}%2e${api.key.slice(8)}`);
  await api.call('GET', `/api/v1/${api.key.replace('sw_live_', 'SW_Live_')}`);
  const log = api.lines.join('');
  expect(log).not.toMatch(/sw_live_/i);
  expect(log).not.toContain(api.key);
  expect(log).not.toContain(api.key.slice(8, 20));
  expect(log).not.toContain('api_key');
  expect(log).not.toContain('secret');
  const requests = api.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(8);
  expect(requests[0]).toMatchObject({
    method: 'GET',
    route: path,
    path,
    status: 200,
    account_id: api.accountId,
    request_id: expect.any(String),
    ms: expect.any(Number),
  });
  expect(requests[2]).toMatchObject({ route: 'unmatched', status: 404, code: 'NOT_FOUND' });
});

const upper = `SW_LIVE_${'A'.repeat(43)}`;

test.each([
  ['a body field', 'POST', path, { [upper]: 1 }],
  ['an encoded body field', 'POST', path, { [`%73w_live_${'A'.repeat(43)}`]: 1 }],
  ['a value', 'POST', path, { app_id: upper, store: 'ITUNES', country: 'US', lang: 'en' }],
  ['a country', 'POST', path, { app_id: '1', store: upper, country: upper, lang: upper }],
  ['a parameter', 'GET', `${path}?${upper}[$gt]=1&app_id[${upper}]=1`, undefined],
  ['a path', 'GET', `/api/v1/${upper}`, undefined],
])(
  'a key that is sent as %s, in any letter case, is in no answer and in no log',
  async (_what, method, one, body) => {
    api.lines.length = 0;
    const answer = await api.call(method, one, { body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const shown = `${JSON.stringify(answer.body)} ${JSON.stringify([...answer.headers])} ${api.lines.join('')}`;
    expect(shown).not.toMatch(/live_/i);
    expect(shown).not.toContain('A'.repeat(20));
    expect(api.requests()).toEqual([]);
  },
);

test('an error of a service that quotes a key is logged and answered without it', async () => {
  api.lines.length = 0;
  api.tracking.answer({
    listApplications: async () => {
      throw new AppError('SERVICE_UNAVAILABLE', `cannot read ${upper}`, { cause: new Error(upper) });
    },
  });
  const answer = await api.call('GET', path);
  expect(answer.body.error).toBe('cannot read [API key]');
  expect(api.lines.join('')).toContain('cannot read [API key]');
  expect(api.lines.join('')).not.toMatch(/sw_live_/i);
});

test('a field whose value contains a key is named', async () => {
  const wrong = {
    keywords: ['habit', upper.toLowerCase()],
    app_id: 1,
    store: 'ITUNES',
    country: 'US',
    lang: 'en',
  };
  const answer = await api.call('POST', '/api/v1/keywords', { body: wrong });
  expect(answer).toMatchObject({ status: 400, body: { error: 'keywords must not contain an API key' } });
});

test('metrics are labeled by route and status, never by path or id', async () => {
  await api.call('DELETE', '/api/v1/applications/123456');
  await api.call('GET', '/api/v1/some/random/path');
  const text = await api.metrics.registry.metrics();
  expect(text).toMatch(
    /shelfwise_gateway_request_duration_seconds_count\{method="GET",route="unmatched",status="404"\} \d/,
  );
  expect(text).toMatch(/route="\/api\/v1\/applications\/\{id\}"/);
  expect(text).not.toContain('123456');
  expect(text).not.toContain('random');
  expect(text).toMatch(/shelfwise_gateway_decisions_total\{outcome="admitted"\} \d/);
  expect(text).toMatch(/shelfwise_gateway_in_process_windows \d/);
});
