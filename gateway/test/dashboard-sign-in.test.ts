import { createApiKey, createSecret } from '../src/accounts/api-key.ts';
import { bootGateway } from './harness/boot-gateway.ts';
import { codeOf, openBrowser, ownPage } from './harness/browser.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ trustProxy: 1 });
const secure = useGateway({ dashboard: { publicUrl: 'https://aso.example.com' } });

/** Each browser has an address of its own, so that a test does not use up the calls of another. */
let addresses = 0;
const nextAddress = () => `10.2.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const open = (cookie = '') => openBrowser(api, { cookie, from: nextAddress() });
const signInLinks = () => api.gateway.signInLinks as NonNullable<typeof api.gateway.signInLinks>;
const createLink = (id: string) => signInLinks().create({ id });
const isSignedIn = async (browser: ReturnType<typeof open>) =>
  (await browser.send('GET', '/sessions')).status === 200;

test('a link names the email first, then signs in once', async () => {
  const { id, email } = await api.createKey();
  const made = await createLink(id);
  expect(made).toEqual({
    email,
    link: expect.stringMatching(/^http:\/\/localhost:\d+\/dashboard\/sign-in#sw_link_[0-9A-Za-z]{43}$/),
    expires_at: new Date(api.clock.now().getTime() + 600_000).toISOString(),
  });
  const browser = open();
  const code = codeOf(made);
  for (let look = 0; look < 2; look++) {
    const shown = await browser.send('POST', '/session/link/account', { body: { code } });
    expect(shown).toMatchObject({ status: 200, body: { data: { email } } });
    expect(browser.cookie).toBe('');
  }
  expect(await isSignedIn(browser)).toBe(false);
  expect(await browser.signInByCode(code)).toMatchObject({
    status: 200,
    body: { data: { email, plan: 'unlimited' } },
  });
  expect(await isSignedIn(browser)).toBe(true);

  // Also in a second tab of the same browser.
  expect(refusalOf(await browser.signInByCode(code))).toBe('401 SESSION_REQUIRED');
  expect(await isSignedIn(browser)).toBe(true);
  expect(refusalOf(await open().send('POST', '/session/link/account', { body: { code } }))).toBe(
    '401 SESSION_REQUIRED',
  );
});

test('of ten browsers that use a link at the same time, one is signed in', async () => {
  const { id } = await api.createKey();
  const code = codeOf(await createLink(id));
  const browsers = Array.from({ length: 10 }, () => open());
  const answers = await Promise.all(browsers.map((browser) => browser.signInByCode(code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)]);
  expect(browsers.filter(({ cookie }) => cookie !== '')).toHaveLength(1);
});

test('a link that a mail scanner or a preview opens is still good', async () => {
  const { id } = await api.createKey();
  const code = codeOf(await createLink(id));
  const scanner = open();
  for (const path of [
    '/sign-in',
    `/sign-in?code=${code}`,
    `/session/link?code=${code}`,
    `/session/link/${code}`,
  ])
    for (const method of ['GET', 'HEAD']) await scanner.sendAs({ accept: 'text/html' }, method, path);
  expect(scanner.cookie).toBe('');
  expect((await open().signInByCode(code)).status).toBe(200);
});

test("a stranger's link in a signed-in browser names the stranger; the session stays until the click, and then ends", async () => {
  const own = await api.createKey();
  const browser = open();
  await browser.signInByKey(own.key);
  const { cookie } = browser;
  const stranger = await api.createKey();
  const code = codeOf(await createLink(stranger.id));
  const shown = await browser.send('POST', '/session/link/account', { body: { code } });
  expect(shown.body.data).toEqual({ email: stranger.email });
  expect(browser.cookie).toBe(cookie);
  expect(await isSignedIn(browser)).toBe(true);
  expect((await browser.signInByCode(code)).body.data.email).toBe(stranger.email);
  expect(browser.cookie).not.toBe(cookie);
  expect(await isSignedIn(open(cookie))).toBe(false);
});

test('a link is good for ten minutes, and its account has five of them', async () => {
  const { id } = await api.createKey();
  const late = codeOf(await createLink(id));
  api.clock.advance(590_000);
  expect((await open().send('POST', '/session/link/account', { body: { code: late } })).status).toBe(200);
  api.clock.advance(10_000);
  expect(refusalOf(await open().signInByCode(late))).toBe('401 SESSION_REQUIRED');

  const codes = [];
  for (let link = 0; link < 6; link++) {
    codes.push(codeOf(await createLink(id)));
    api.clock.advance(1);
  }
  const statuses = [];
  for (const code of codes) statuses.push((await open().signInByCode(code)).status);
  expect(statuses).toEqual([401, 200, 200, 200, 200, 200]);
});

test('a link of before a change of key or plan is not valid, nor that of a deleted account', async () => {
  const { id } = await api.createKey();
  const { accounts } = api.gateway;
  for (const change of [
    () => accounts.regenerateKey({ id }),
    () => accounts.changePlan({ id, plan: 'free' }),
    () => accounts.delete({ id }),
  ]) {
    const code = codeOf(await createLink(id));
    await change();
    expect(refusalOf(await open().signInByCode(code))).toBe('401 SESSION_REQUIRED');
  }
  await expect(createLink(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a link is made from PUBLIC_URL, whatever Host a request names', async () => {
  const { id } = await secure.createKey();
  const headers = { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' };
  await openBrowser(secure).send('GET', '/sessions', { headers });
  const { link } = await (secure.gateway.signInLinks as ReturnType<typeof signInLinks>).create({ id });
  expect(link).toMatch(/^https:\/\/aso\.example\.com\/dashboard\/sign-in#sw_link_/);
});

test('a redirect stays on the host of the browser, whatever Host a request names', async () => {
  const { key } = await api.createKey();
  const browser = open();
  const forged = { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' };
  const locationOf = async (path: string) =>
    (await browser.sendAs(forged, 'GET', path)).headers.get('location');
  for (const path of ['', '/account', '//evil.example.com']) {
    const location = await locationOf(path);
    expect([path, location === null || location.startsWith('/dashboard')]).toEqual([path, true]);
  }
  expect(await locationOf('/account')).toBe('/dashboard/sign-in');
  await browser.signInByKey(key);
  expect(await locationOf('/sign-in')).toBe('/dashboard#');
});

test('with https a cookie that a neighboring name could have set is no session', async () => {
  const browser = openBrowser(secure);
  await browser.signInByKey((await secure.createKey()).key);
  expect((await browser.send('GET', '/sessions')).status).toBe(200);
  const planted = browser.cookie.replace('__Host-', '');
  expect(planted).toMatch(/^shelfwise=sw_session_/);
  expect((await openBrowser(secure, { cookie: planted }).send('GET', '/sessions')).status).toBe(401);
});

test('the key signs in once pasted, with what comes with pasting', async () => {
  const { key, email } = await api.createKey();
  const browser = open();
  expect(await browser.signInByKey(`\u200b ${key}\r\n`)).toMatchObject({
    status: 200,
    body: { data: { email, plan: 'unlimited' } },
  });
  expect(await isSignedIn(browser)).toBe(true);
  expect(refusalOf(await open().signInByKey(`"${key}"`))).toBe('401 INVALID_API_KEY');
});

test('a replaced key does not sign in, also in a gateway that still remembers it', async () => {
  const { key, id } = await api.createKey();
  expect((await open().signInByKey(key)).status).toBe(200);
  // As another process replaces it: this one is not told.
  await api.connection
    .collection('accounts')
    .updateOne({ _id: id as never }, { $inc: { key_version: 1, version: 1 } });
  const browser = open();
  expect(refusalOf(await browser.signInByKey(key))).toBe('401 INVALID_API_KEY');
  expect(browser.cookie).toBe('');
});

test.each([
  ['http', api, /^shelfwise=sw_session_[0-9A-Za-z]{43}; /, false],
  ['https', secure, /^__Host-shelfwise=sw_session_[0-9A-Za-z]{43}; /, true],
])(
  'over %s the cookie is for this host only, and no script reads it',
  async (_, gateway, start, isSecure) => {
    const { key } = await gateway.createKey();
    const { headers } = await openBrowser(gateway).signInByKey(key);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(start);
    const attributes = cookie.split('; ').slice(1);
    expect(attributes).toEqual(
      expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=604800']),
    );
    expect(attributes.includes('Secure')).toBe(isSecure);
    expect(cookie).not.toMatch(/domain/i);
  },
);

test('fixation: an id that the browser brings is never taken over, and the one before ends', async () => {
  const planted = `shelfwise=${createSecret('sw_session_').text}`;
  const browser = open(planted);
  const { key } = await api.createKey();
  await browser.signInByKey(key);
  const first = browser.cookie;
  expect(first).not.toBe(planted);
  expect(await isSignedIn(open(planted))).toBe(false);

  // A session of the attacker's own account.
  const other = await api.createKey();
  await browser.signInByKey(other.key);
  expect(browser.cookie).not.toBe(first);
  expect(await isSignedIn(open(first))).toBe(false);
  expect(await isSignedIn(browser)).toBe(true);
});

test('two cookies of the name count as none: one of them may be planted', async () => {
  const browser = open();
  await browser.signInByKey((await api.createKey()).key);
  const stranger = open();
  await stranger.signInByKey((await api.createKey()).key);
  expect(await isSignedIn(open(`${browser.cookie}; ${stranger.cookie}`))).toBe(false);
  expect(await isSignedIn(open(`theme=dark; ${browser.cookie}; a`))).toBe(true);
});

test.each([
  ['keys', () => ['/session/key', { key: createApiKey().text }] as const],
  ['codes', () => ['/session/link', { code: createSecret('sw_link_').text }] as const],
  ['looks at codes', () => ['/session/link/account', { code: createSecret('sw_link_').text }] as const],
  ['bodies', () => ['/session/key', { key: 1 }] as const],
])(
  'of 1,000 wrong %s of an address 30 a minute are looked at, and a valid key still signs in',
  async (_, guess) => {
    const from = nextAddress();
    const attacker = openBrowser(api, { from });
    const statuses: number[] = [];
    for (let batch = 0; batch < 50; batch++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => {
          const [path, body] = guess();
          return attacker.send('POST', path, { body, withoutPause: true });
        }),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(30);
    expect(statuses.filter((status) => status === 200)).toEqual([]);
    expect(
      (await attacker.send('POST', '/session/link', { body: { code: 'x' } })).headers.get('retry-after'),
    ).toMatch(/^\d+$/);
    const { key } = await api.createKey();
    expect((await openBrowser(api, { from }).signInByKey(key)).status).toBe(200);
  },
);

test('unknown cookies are counted with wrong keys', async () => {
  const from = nextAddress();
  const statuses = [];
  for (let call = 0; call < 31; call++) {
    const cookie = `shelfwise=${createSecret('sw_session_').text}`;
    statuses.push((await openBrowser(api, { from, cookie }).send('GET', '/sessions')).status);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

test('a long body of a stranger is not read', async () => {
  const body = { key: 'x'.repeat(1100) };
  expect(refusalOf(await open().send('POST', '/session/key', { body }))).toBe('413 PAYLOAD_TOO_LARGE');
});

test('sign-ins with a valid key are in the windows of the sessions', async () => {
  const { key } = await api.createKey();
  const statuses = [];
  for (let call = 0; call < 11; call++) {
    const answer = await open().send('POST', '/session/key', { body: { key }, withoutPause: true });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test.each([
  ['a form of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }],
  ['a page of a neighboring name', { ...ownPage, 'sec-fetch-site': 'same-site' }],
  ['an address bar', { ...ownPage, 'sec-fetch-site': 'none' }],
  ['a page of this site that is not of the dashboard', { 'sec-fetch-site': 'same-origin' }],
  ['an old browser on another site', { 'x-shelfwise-page': '1', origin: 'http://evil.example.com' }],
  ['a page without an origin', { 'x-shelfwise-page': '1', origin: 'null' }],
  ['a program', { 'x-shelfwise-page': '1' }],
])('%s signs nobody in, with a valid key or link', async (_, headers) => {
  const { key, id } = await api.createKey();
  const browser = open();
  const code = codeOf(await createLink(id));
  for (const [path, body] of [
    ['/session/key', { key }],
    ['/session/link', { code }],
    ['/session/link/account', { code }],
  ] as const) {
    const answer = await browser.sendAs(headers, 'POST', path, { body });
    expect(refusalOf(answer)).toBe('403 FOREIGN_PAGE');
    expect(answer.body).not.toMatchObject({ email: expect.anything() });
  }
  expect(browser.cookie).toBe('');
  expect((await browser.signInByCode(code)).status).toBe(200);
});

test('without Sec-Fetch-Site an Origin with the host of the request is enough', async () => {
  const { key } = await api.createKey();
  const headers = { 'x-shelfwise-page': '1', host: 'Shelf.lan:8080', origin: 'http://shelf.lan:8080' };
  expect((await open().sendAs(headers, 'POST', '/session/key', { body: { key } })).status).toBe(200);
});

test('a body that is not JSON signs nobody in', async () => {
  const { key } = await api.createKey();
  const headers = { ...ownPage, 'content-type': 'text/plain', 'x-forwarded-for': '10.2.1.1' };
  const answer = await api.call('POST', '/dashboard/session/key', {
    key: null,
    raw: JSON.stringify({ key }),
    headers,
  });
  expect(refusalOf(answer)).toBe('400 INVALID_PARAMS');
});

test('no code, cookie or key is in a line of the log or in a refusal', async () => {
  const { key, id } = await api.createKey();
  const code = codeOf(await createLink(id));
  const browser = open();
  await browser.signInByCode(code);
  const secret = browser.cookie.split('=')[1] ?? '';
  const answers = [
    await browser.send('GET', `/api/applications/${code}?code=${code}&key=${key}`, {
      headers: { 'user-agent': code },
    }),
    await browser.send('GET', `/${secret}`),
    await browser.signInByCode(code),
    await browser.send('POST', '/session/key', { body: { [key]: code } }),
    await browser.send('GET', `/api/keywords?store=${secret}`, { headers: { 'x-request-id': secret } }),
    await browser.send('DELETE', `/sessions/${secret}`),
  ];
  await browser.signInByKey(key);
  const written = api.lines.join('\n') + JSON.stringify(answers.map(({ body }) => body));
  for (const one of [key, code, secret, browser.cookie.split('=')[1] ?? ''])
    expect(written).not.toContain(one.slice(-20));
  expect(written).toContain('[sign-in code]');
  expect(written).toContain('[session]');
});

test('without a dashboard there is nothing under its path, and no link is made', async () => {
  const gateway = await bootGateway({ dashboard: undefined });
  try {
    expect(gateway.gateway.signInLinks).toBeNull();
    for (const path of ['/dashboard', '/dashboard/sessions', '/dashboard/api/keywords'])
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(401);
  } finally {
    await gateway.stop();
  }
});
