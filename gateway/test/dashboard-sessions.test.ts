import { until } from '../../testing/until.ts';
import { createAccounts } from '../src/accounts/accounts.ts';
import { createSecret, hashSecret } from '../src/accounts/api-key.ts';
import { createSessions } from '../src/dashboard/sessions.ts';
import { createSignInLinks } from '../src/dashboard/sign-in-links.ts';
import { builtInPlans } from '../src/plans/plans.ts';
import { type Browser, openBrowser } from './harness/browser.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ trustProxy: 1 });

let addresses = 0;
const open = (cookie = '') =>
  openBrowser(api, { cookie, from: `10.4.${Math.floor(++addresses / 250)}.${addresses % 250}` });

async function signIn(key: string, userAgent = 'Firefox') {
  const browser = open();
  const headers = { 'user-agent': userAgent };
  expect((await browser.send('POST', '/session/key', { body: { key }, headers })).status).toBe(200);
  return browser;
}
const look = async (browser: Browser) => (await browser.send('GET', '/sessions')).status;
const hourMs = 3_600_000;

test('a session ends after 12 hours without a call', async () => {
  const browser = await signIn((await api.createKey()).key);
  api.clock.advance(11.9 * hourMs);
  expect(await look(browser)).toBe(200);
  api.clock.advance(11.9 * hourMs);
  expect(await look(browser)).toBe(200);
  api.clock.advance(12 * hourMs);
  expect(await look(browser)).toBe(401);
});

test('a session in use ends after 7 days', async () => {
  const browser = await signIn((await api.createKey()).key);
  for (let half = 0; half < 14; half++) {
    api.clock.advance(11.9 * hourMs);
    expect(await look(browser)).toBe(200);
  }
  api.clock.advance(7 * 24 * hourMs - 14 * 11.9 * hourMs - 20_000);
  expect(await look(browser)).toBe(200);
  api.clock.advance(20_000);
  expect(await look(browser)).toBe(401);
});

test('an account has 20 sessions; the oldest ends', async () => {
  const { key } = await api.createKey();
  const browsers = [];
  for (let session = 0; session < 21; session++) browsers.push(await signIn(key));
  expect(await look(browsers[0] as Browser)).toBe(401);
  for (const browser of browsers.slice(1)) expect(await look(browser)).toBe(200);
});

test('ended sessions take no place among the 20', async () => {
  const { key } = await api.createKey();
  const kept = await signIn(key);
  for (let session = 0; session < 19; session++) await signIn(key);
  api.clock.advance(11.9 * hourMs);
  expect(await look(kept)).toBe(200);
  api.clock.advance(hourMs);
  await signIn(key);
  expect(await look(kept)).toBe(200);
});

test('the sessions of the account are listed, newest first, and each can be ended', async () => {
  const { key, id } = await api.createKey();
  const old = await signIn(key, 'Firefox on Linux');
  const current = await signIn(key, 'Safari');
  await signIn((await api.createKey()).key);
  const { body } = await current.send('GET', '/sessions');
  expect(body.data).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      label: 'Safari',
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      is_current: true,
    },
    expect.objectContaining({ label: 'Firefox on Linux', is_current: false }),
  ]);
  const secret = current.cookie.split('=')[1] ?? '';
  expect(JSON.stringify(body)).not.toContain(secret);
  const stored = await api.connection.collection('sessions').find({ account_id: id }).toArray();
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(stored.map(({ _id }) => String(_id))).toContain(hashSecret(secret));

  const ended = await current.send('DELETE', `/sessions/${body.data[1].id}`);
  expect(ended).toMatchObject({ status: 200, body: { data: { ended: true } } });
  expect(await look(old)).toBe(401);
  expect((await current.send('GET', '/sessions')).body.data).toHaveLength(1);
  await current.send('DELETE', `/sessions/${body.data[0].id}`);
  expect(current.cookie).toBe('');
});

test('a session of another account is not found, and goes on', async () => {
  const stranger = await signIn((await api.createKey()).key);
  const browser = await signIn((await api.createKey()).key);
  const { body } = await browser.send('GET', '/sessions');
  expect(refusalOf(await stranger.send('DELETE', `/sessions/${body.data[0].id}`))).toBe('404 NOT_FOUND');
  expect(await look(browser)).toBe(200);
});

test('signing out ends the session, for a copy of the cookie, too', async () => {
  const browser = await signIn((await api.createKey()).key);
  const { cookie } = browser;
  expect((await browser.send('DELETE', '/session')).body).toEqual({ data: { signed_out: true } });
  expect(browser.cookie).toBe('');
  expect(await look(open(cookie))).toBe(401);
  expect((await browser.send('DELETE', '/session')).status).toBe(200);
});

test.each([
  ['ends no session', 'DELETE', '/session'],
  ['ends no other session', 'DELETE', `/sessions/${'0'.repeat(64)}`],
  ['replaces no key', 'POST', '/key'],
  ['switches no shortcuts off', 'PUT', '/shortcuts'],
])('another site %s', async (_, method, path) => {
  const browser = await signIn((await api.createKey()).key);
  const { cookie } = browser;
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', 'x-shelfwise-page': '1' },
    { 'sec-fetch-site': 'same-site', 'x-shelfwise-page': '1' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://evil.example.com', 'x-shelfwise-page': '1' },
  ])
    expect(refusalOf(await browser.sendAs(headers, method, path, { body: {} }))).toBe('403 FOREIGN_PAGE');
  expect(browser.cookie).toBe(cookie);
  expect(await look(browser)).toBe(200);
});

test('a link of another site ends, makes and changes nothing', async () => {
  const { key, id } = await api.createKey();
  const browser = await signIn(key);
  const { cookie } = browser;
  const [{ id: own }] = (await browser.send('GET', '/sessions')).body.data;
  for (const path of ['/session', '/session/key', '/session/link', `/sessions/${own}`, '/key'])
    for (const method of ['GET', 'HEAD'])
      expect((await browser.sendAs({ 'sec-fetch-site': 'cross-site' }, method, path)).status).toBe(404);
  expect(browser.cookie).toBe(cookie);
  expect(await look(browser)).toBe(200);
  expect((await api.connection.collection('accounts').findOne({ _id: id as never }))?.key_version).toBe(1);
});

describe('a new key', () => {
  const replaceKey = (browser: Browser, key: string) =>
    browser.send('POST', '/key', { body: { key_prefix: key.slice(0, 12) } });

  test('is shown once; the session that makes it stays, the others and the old key end', async () => {
    const { key } = await api.createKey();
    const other = await signIn(key);
    const browser = await signIn(key);
    const stolen = other.cookie;
    const answer = await replaceKey(browser, key);
    expect(answer).toMatchObject({ status: 200, headers: expect.anything() });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { key: made } = answer.body.data;
    expect(made).toMatch(/^sw_live_[0-9A-Za-z]{43}$/);
    expect(await look(browser)).toBe(200);
    expect(await look(open(stolen))).toBe(401);
    api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
    expect((await api.call('GET', '/api/v1/applications', { key })).status).toBe(401);
    expect((await api.call('GET', '/api/v1/applications', { key: made })).status).toBe(200);
    const stored = JSON.stringify(await api.connection.collection('accounts').find({}).toArray());
    expect(stored + api.lines.join('')).not.toContain(made.slice(12));
  });

  test.each(['sw_live_0000', '', 'the whole key'])(
    'needs the first twelve characters of the old one: "%s"',
    async (sent) => {
      const { key } = await api.createKey();
      const browser = await signIn(key);
      const prefix = sent === 'the whole key' ? key : sent;
      const answer = await browser.send('POST', '/key', { body: { key_prefix: prefix } });
      expect(refusalOf(answer)).toBe('400 INVALID_PARAMS');
      expect(answer.body.details.issues.fieldErrors).toHaveProperty('key_prefix');
      expect((await signIn(key)).cookie).not.toBe('');
    },
  );

  test('needs a sign-in of the last ten minutes', async () => {
    const { key } = await api.createKey();
    const browser = await signIn(key);
    api.clock.advance(10 * 60_000);
    const refused = await replaceKey(browser, key);
    // No 401: the session goes on.
    expect(refusalOf(refused)).toBe('403 SESSION_TOO_OLD');
    expect(refused.body.error).toMatch(/^Sign out and in again/);
    expect(await look(browser)).toBe(200);
    await browser.signInByKey(key);
    expect((await replaceKey(browser, key)).status).toBe(200);
  });

  test('is made for one of two tabs that ask at the same time', async () => {
    const { key } = await api.createKey();
    const browser = await signIn(key);
    const tabs = await Promise.all([replaceKey(browser, key), replaceKey(browser, key)]);
    expect(tabs.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const made = tabs.find(({ status }) => status === 200)?.body.data.key;
    expect((await signIn(made)).cookie).not.toBe('');
    expect(await look(browser)).toBe(200);
  });

  test('a session ends with a change of the plan, also back to the old one', async () => {
    const { key, id } = await api.createKey();
    const browser = await signIn(key);
    await api.gateway.accounts.changePlan({ id, plan: 'free' });
    expect(await look(browser)).toBe(401);
    await api.gateway.accounts.changePlan({ id, plan: 'unlimited' });
    expect(await look(browser)).toBe(401);
    expect(await look(await signIn(key))).toBe(200);
  });
});

test('an account of an older version, which has no version yet, has sessions that a change ends', async () => {
  const { key, id } = await api.createKey();
  expect(await api.connection.collection('accounts').findOne({ _id: id as never })).not.toHaveProperty(
    'version',
  );
  const browser = await signIn(key);
  const answer = await browser.send('POST', '/key', { body: { key_prefix: key.slice(0, 12) } });
  expect(answer.status).toBe(200);
  expect(await look(browser)).toBe(200);
  await api.gateway.accounts.changePlan({ id, plan: 'free' });
  expect(await look(browser)).toBe(401);
});

test('a session of a deleted account is refused at once', async () => {
  const { key, id } = await api.createKey();
  const browser = await signIn(key);
  await api.gateway.accounts.delete({ id });
  expect(await look(browser)).toBe(401);
});

test('the answers of the dashboard are neither cached, framed nor embedded', async () => {
  const browser = await signIn((await api.createKey()).key);
  for (const answer of [
    await browser.send('GET', '/sessions'),
    await browser.send('GET', '/api/keywords?page=x'),
    await browser.send('GET', '/nowhere'),
    await open().send('GET', '/sessions'),
    await open().sendAs({}, 'POST', '/session/key', { body: {} }),
    await open().send('GET', '/sessions/%zz'),
  ]) {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      // The style of the pages is known by its hash, once they are built.
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src '(none|sha256-[\w+/]{43}=)'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
      ),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('broken and unknown paths are refused as such', async () => {
  const browser = await signIn((await api.createKey()).key);
  for (const [method, path, refusal] of [
    ['DELETE', '/sessions/%zz', '400 INVALID_PARAMS'],
    ['GET', '/nowhere', '404 NOT_FOUND'],
    ['GET', '/api/nowhere', '404 NOT_FOUND'],
    ['GET', '/api/%zz', '400 INVALID_PARAMS'],
    ['DELETE', '/api/applications/%zz', '400 INVALID_PARAMS'],
    ['PUT', '/api/applications', '405 METHOD_NOT_ALLOWED'],
    ['GET', '/key', '404 NOT_FOUND'],
  ] as const)
    expect([path, refusalOf(await browser.send(method, path))]).toEqual([path, refusal]);
});

describe('the rows', () => {
  const rowsOf = async (id: string) => {
    const { connection } = api;
    const filter = { account_id: id };
    return (
      (await connection.collection('sessions').countDocuments(filter)) +
      (await connection.collection('sign_in_links').countDocuments(filter))
    );
  };

  test('that have expired are swept, the others stay', async () => {
    const { id } = await api.createKey();
    const { connection } = api;
    let at = new Date('2026-06-15T12:00:00Z');
    const now = () => at;
    const accounts = createAccounts({
      connection,
      plans: builtInPlans,
      logger: { warn() {} } as never,
      now,
      monotonicMs: () => 0,
      isOnlyWriter: false,
    });
    const sessions = createSessions({ connection, accounts, now });
    const links = createSignInLinks({ connection, accounts, publicUrl: () => 'http://localhost', now });
    const account = await accounts.read({ id });
    if (!account) throw new Error('the account is gone');
    await sessions.start(account, 'old');
    await links.create({ id });
    at = new Date('2026-06-15T23:59:00Z');
    const later = await sessions.start(account, 'later');
    await links.create({ id });
    at = new Date('2026-06-16T00:00:00Z');
    const { signal } = new AbortController();
    await sessions.sweep(signal);
    await links.sweep(signal);
    expect(await rowsOf(id)).toBe(2);
    expect(await sessions.find(later)).toMatchObject({ account: { id } });
    expect(await sessions.find(createSecret('sw_session_').text)).toBeNull();
    await Promise.all([sessions.deleteAccount(id), links.deleteAccount(id)]);
    expect(await rowsOf(id)).toBe(0);
  });

  test('are swept by the gateway', async () => {
    const { key, id } = await api.createKey();
    await signIn(key);
    await api.gateway.signInLinks?.create({ id });
    api.clock.advance(12 * hourMs);
    const other = await api.createKey();
    await signIn(other.key);
    // A deletion begins a round.
    await api.gateway.accounts.delete({ id: (await api.createKey()).id });
    await until(async () => (await rowsOf(id)) === 0);
    expect(await rowsOf(other.id)).toBe(1);
  });

  test('a use that is stored late does not bring back a session that has ended', async () => {
    const { key, id } = await api.createKey();
    const browser = await signIn(key);
    api.clock.advance(2 * 60_000);
    await Promise.all([look(browser), browser.send('DELETE', '/session')]);
    await until(
      async () => (await api.connection.collection('sessions').countDocuments({ account_id: id })) === 0,
    );
  });
});
