import { request } from 'node:http';
import { createAccounts } from '../src/accounts/accounts.ts';
import { createApiKey } from '../src/accounts/api-key.ts';
import { builtInPlans } from '../src/plans/plans.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ trustProxy: 1 });
/** A gateway whose database other processes use, too. */
const shared = useGateway({ trustProxy: 1, isDatabaseEmbedded: false });
const path = '/api/v1/applications';

/** Every test sends its invalid keys from an address of its own. */
let address = 0;
const from = (ip = `10.1.0.${++address}`) => ({ 'x-forwarded-for': ip });

beforeEach(() => {
  for (const { tracking } of [api, shared])
    tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
});

test('a key works in the header and in the query', async () => {
  expect((await api.call('GET', path)).status).toBe(200);
  expect((await api.call('GET', `${path}?api_key=${api.key}`, { key: null })).status).toBe(200);
});

test('a key and a filter are found after any number of other parameters', async () => {
  const many = `${path}?${'a&'.repeat(3000)}api_key=${api.key}&app_id=9`;
  expect((await api.call('GET', many, { key: null })).status).toBe(200);
  expect(api.tracking.requests[0]?.request).toMatchObject({ app_id: 9 });
});

test('with a key in both, the header wins; an empty header counts as no key', async () => {
  const wrong = `sw_live_${'x'.repeat(43)}`;
  expect((await api.call('GET', `${path}?api_key=${wrong}`)).status).toBe(200);
  expect((await api.call('GET', `${path}?api_key=${api.key}`, { key: wrong, headers: from() })).status).toBe(
    401,
  );
  expect((await api.call('GET', `${path}?api_key=${api.key}`, { key: '' })).status).toBe(200);
});

test.each(['Bearer', 'bearer', 'BEARER'])('a key works as Authorization: %s', async (scheme) => {
  const headers = { authorization: `${scheme} ${api.key}` };
  expect((await api.call('GET', path, { key: null, headers })).status).toBe(200);
});

test('X-API-Key wins over a bearer token, which wins over the query', async () => {
  const wrong = `sw_live_${'x'.repeat(43)}`;
  const bearer = (key: string) => ({ ...from(), authorization: `Bearer ${key}` });
  expect((await api.call('GET', path, { headers: bearer(wrong) })).status).toBe(200);
  expect((await api.call('GET', path, { key: wrong, headers: bearer(api.key) })).status).toBe(401);
  const inQuery = (key: string) => `${path}?api_key=${key}`;
  expect((await api.call('GET', inQuery(wrong), { key: null, headers: bearer(api.key) })).status).toBe(200);
  expect((await api.call('GET', inQuery(api.key), { key: null, headers: bearer(wrong) })).status).toBe(401);
});

test.each(['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer-x y'])(
  '"Authorization: %s" counts as no key',
  async (value) => {
    const headers = { ...from(), authorization: value };
    expect((await api.call('GET', path, { key: null, headers })).body.code).toBe('MISSING_API_KEY');
    expect((await api.call('GET', `${path}?api_key=${api.key}`, { key: null, headers })).status).toBe(200);
  },
);

test.each(['%0A', '%0D%0A', '%20', '+', '%09', '%C2%A0', '%0A%0A%20', '%E2%80%8B', '%E2%80%8E%0A', '%C2%AD'])(
  'white space and invisible characters (%s) around a key in the query are dropped',
  async (space) => {
    for (const sent of [`${space}${api.key}`, `${api.key}${space}`, `${space}${api.key}${space}`])
      expect((await api.call('GET', `${path}?api_key=${sent}`, { key: null })).status).toBe(200);
    const empty = await api.call('GET', `${path}?api_key=${space}`, { key: null, headers: from() });
    expect(empty).toMatchObject({ status: 401, body: { code: 'MISSING_API_KEY' } });
  },
);

test.each([' ', '\t', ' \t '])('white space (%j) around a key in a header is dropped', async (space) => {
  const headers = [
    { 'x-api-key': `${space}${api.key}${space}` },
    { authorization: `${space}Bearer${space}${api.key}${space}` },
    { authorization: `Bearer ${space}${api.key}` },
  ];
  for (const one of headers)
    expect((await api.call('GET', path, { key: null, headers: one })).status).toBe(200);
});

test.each([
  ['x-api-key', (key: string) => `Bearer ${key}`, /without "Bearer "/],
  ['x-api-key', (key: string) => `bearer\t${key}`, /without "Bearer "/],
  ['x-api-key', (key: string) => `"${key}"`, /without quotation marks/],
  ['x-api-key', (key: string) => `'${key}`, /without quotation marks/],
  ['authorization', (key: string) => `Bearer "${key}"`, /without quotation marks/],
  ['authorization', (key: string) => `Bearer Bearer ${key}`, /without "Bearer "/],
])(
  'a key in %s in a wrong form is 401 with a sentence that says so, and no key',
  async (name, write, sentence) => {
    const { status, body } = await api.call('GET', path, {
      key: null,
      headers: { ...from(), [name]: write(api.key) },
    });
    expect([status, body.code]).toEqual([401, 'INVALID_API_KEY']);
    expect(body.error).toMatch(sentence);
    expect(body.error).not.toContain('sw_live_');
  },
);

test('two keys in the query are 401 INVALID_API_KEY, an empty one is 401 MISSING_API_KEY', async () => {
  const twice = await api.call('GET', `${path}?api_key=${api.key}&api_key=${api.key}`, {
    key: null,
    headers: from(),
  });
  expect(twice).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  const empty = await api.call('GET', `${path}?api_key=`, { key: null, headers: from() });
  expect(empty).toMatchObject({ status: 401, body: { code: 'MISSING_API_KEY' } });
});

test('a key that is replaced while its request is still arriving is refused', async () => {
  const { key, id } = await api.createKey();
  await api.call('GET', path, { key, withoutPause: true });
  const headers = { 'x-api-key': key, 'content-type': 'application/json', expect: '100-continue' };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${api.url}${path}`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    // The gateway has read the headers with the old key; the body follows.
    sent.once('error', reject).once('continue', async () => {
      await api.gateway.accounts.regenerateKey({ id });
      sent.end('{}');
    });
    sent.flushHeaders();
  });
  expect(status).toBe(401);
});

describe('another process changes an account', () => {
  const call = async (key: string) =>
    (await shared.call('GET', path, { key, withoutPause: true, headers: from() })).status;
  const another = (behindMs = 0) => {
    const { connection, clock } = shared;
    const { logger } = createRecordingLogger();
    const clocks = { now: () => new Date(clock.now().getTime() - behindMs), monotonicMs: () => 0 };
    return createAccounts({ connection, plans: builtInPlans, logger, isOnlyWriter: false, ...clocks });
  };

  test('a replaced key is refused within a second, and the new one is valid', async () => {
    const { key, id } = await shared.createKey();
    expect(await call(key)).toBe(200);
    const replaced = await another().regenerateKey({ id });
    shared.clock.advance(1000);
    expect(await call(key)).toBe(401);
    expect(await call(replaced.key)).toBe(200);
  });

  test('a key that a process with a late clock replaced is refused, also after minutes without a call', async () => {
    const { key, id } = await shared.createKey();
    shared.clock.advance(301_000);
    expect(await call(key)).toBe(200);
    await another(240_000).regenerateKey({ id });
    shared.clock.advance(70_000);
    expect(await call(key)).toBe(401);
  });

  test('a change of plan takes effect within a second', async () => {
    const { key, id } = await shared.createKey('free');
    expect(await call(key)).toBe(403);
    await another().changePlan({ id, plan: 'unlimited' });
    shared.clock.advance(1000);
    expect(await call(key)).toBe(200);
    await another().changePlan({ id, plan: 'free' });
    shared.clock.advance(1000);
    expect(await call(key)).toBe(403);
  });

  test('the key of a deleted account is refused within a second', async () => {
    const { key, id } = await shared.createKey();
    expect(await call(key)).toBe(200);
    await another().delete({ id });
    shared.clock.advance(1000);
    expect(await call(key)).toBe(401);
  });

  test('the key of a new account is valid within a second, also if it was tried before', async () => {
    const { text, hash, prefix } = createApiKey();
    expect(await call(text)).toBe(401);
    const at = shared.clock.now();
    const account = { email: 'new@example.com', plan: 'unlimited', key_version: 1 };
    const dates = { created_at: at, changed_at: at };
    await shared.connection
      .model('Account')
      .create({ _id: 'new', ...account, ...dates, key_hash: hash, key_prefix: prefix });
    shared.clock.advance(1000);
    expect(await call(text)).toBe(200);
  });

  test('keys are not looked up again, and one query a second finds what changed', async () => {
    const keys = await Promise.all([1, 2, 3].map(async () => (await shared.createKey()).key));
    shared.clock.advance(301_000);
    for (const key of keys) expect(await call(key)).toBe(200);
    shared.clock.advance(299_000);
    const find = jest.spyOn(shared.connection.model('Account').collection, 'find');
    for (const key of keys) expect(await call(key)).toBe(200);
    expect(find).toHaveBeenCalledTimes(1);
    expect(find.mock.calls[0]?.[0]).toHaveProperty('changed_at');
    find.mockRestore();
  });
});

test('a key is looked up once when no other process can change its account', async () => {
  const { key } = await api.createKey();
  const find = jest.spyOn(api.connection.model('Account').collection, 'find');
  for (let call = 0; call < 3; call++) {
    expect((await api.call('GET', path, { key })).status).toBe(200);
    api.clock.advance(3_600_000);
  }
  expect(find).toHaveBeenCalledTimes(1);
  find.mockRestore();
});

test('a plan that no longer exists gives no access, and the log says so', async () => {
  const { key, id } = await api.createKey();
  await api.connection.collection('accounts').updateOne({ _id: id as never }, { $set: { plan: 'gone' } });
  expect(refusalOf(await api.call('GET', path, { key }))).toBe('403 PLAN_REQUIRED');
  expect(
    api.lines.filter((line) => line.includes('"plan":"gone"') && line.includes(id)).length,
  ).toBeGreaterThan(0);
});

test('an address may call 30 times a minute without a valid key, then it is 429 with only Retry-After', async () => {
  const headers = from();
  for (let attempt = 0; attempt < 30; attempt++)
    expect((await api.call('GET', path, { key: `attempt-${attempt}`, headers })).status).toBe(401);
  for (const key of ['attempt', null]) {
    const answer = await api.call('GET', path, { key, headers });
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    expect(answer.headers.get('x-ratelimit-reset')).toBeNull();
  }
  // A valid key from that address and invalid keys from another address are not affected.
  expect((await api.call('GET', path, { headers })).status).toBe(200);
  expect((await api.call('GET', path, { key: null, headers: from() })).status).toBe(401);
});

test('a valid key never counts towards the limit of invalid keys', async () => {
  const headers = from();
  for (let call = 0; call < 40; call++) expect((await api.call('GET', path, { headers })).status).toBe(200);
  expect((await api.call('GET', path, { key: null, headers })).status).toBe(401);
});

test('only the address from the nearest proxy counts', async () => {
  const spoofed = (invented: number) => ({ 'x-forwarded-for': `10.9.9.${invented}, 10.8.8.8` });
  for (let attempt = 0; attempt < 30; attempt++)
    await api.call('GET', path, { key: null, headers: spoofed(attempt) });
  expect((await api.call('GET', path, { key: null, headers: spoofed(99) })).status).toBe(429);
});
