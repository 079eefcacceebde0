import { hashSecret } from '../src/accounts/api-key.ts';
import { createClientStore } from '../src/oauth/client-store.ts';
import {
  allow,
  codeIn,
  createPkce,
  dataOfPage,
  echoEndpoint,
  openAssistant,
  postConsent,
  publicUrl,
  redirectUri,
  resource,
  signedIn,
} from './harness/assistant.ts';
import { ownPage } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const assets = {
  head: pageHead(),
  files: new Map(),
};
/** What is at the addresses of documents; of others the connection is refused. */
const documents = new Map<string, { status: number; answer: string }>();
const asked: string[] = [];
const api = useGateway({ trustProxy: 1, mcp: echoEndpoint, dashboard: { publicUrl, assets } });
const documented = useGateway({
  trustProxy: 1,
  mcp: echoEndpoint,
  dashboard: {
    publicUrl,
    assets,
    async getClientDocument(url) {
      asked.push(url);
      return documents.get(url) ?? { status: 404, answer: '' };
    },
  },
});

let addresses = 0;
const nextAddress = () => `10.5.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const open = (gateway = api) => openAssistant(gateway, { from: nextAddress() });
const html = { accept: 'text/html' };

async function start(gateway = api) {
  const account = await gateway.createKey();
  const browser = await signedIn(gateway, account.key);
  const assistant = open(gateway);
  const clientId: string = (await assistant.register()).body.client_id;
  const pkce = createPkce();
  return { ...account, browser, assistant, clientId, pkce };
}

const modelOf = async (browser: Awaited<ReturnType<typeof signedIn>>, query: string) =>
  dataOfPage(await browser.sendAs(html, 'GET', `/connect?${query}`)).model;

describe('codes', () => {
  test('a second use of a code is refused, and ends what the first has become', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    const { body: tokens } = await assistant.exchange(code, clientId, pkce);
    expect((await assistant.send(tokens.access_token)).status).toBe(200);
    expect(await assistant.exchange(code, clientId, pkce)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await assistant.send(tokens.access_token)).status).toBe(401);
    expect((await assistant.refresh(tokens.refresh_token, clientId)).body.error).toBe('invalid_grant');
  });

  test('of eight uses at the same time none leaves a connection, or exactly one was made and has ended', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    const answers = await Promise.all(Array.from({ length: 8 }, () => open().exchange(code, clientId, pkce)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
  });

  test('who has seen a code without its verifier neither uses it nor ends a connection with it', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const thief = open();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    expect((await thief.exchange(code, clientId, createPkce())).body.error).toBe('invalid_grant');
    const { body: tokens } = await assistant.exchange(code, clientId, pkce);
    expect((await thief.exchange(code, clientId, createPkce())).body.error).toBe('invalid_grant');
    expect((await assistant.send(tokens.access_token)).status).toBe(200);
  });

  test('a code of another client is refused', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const other: string = (await assistant.register()).body.client_id;
    const code = await allow(browser, assistant.ask(clientId, pkce));
    expect((await assistant.exchange(code, other, pkce)).body.error).toBe('invalid_grant');
    expect((await assistant.exchange(code, clientId, pkce)).status).toBe(200);
  });

  test('a code with another redirect_uri than it was sent to is refused', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    const elsewhere = { redirect_uri: `${redirectUri}/other` };
    expect((await assistant.exchange(code, clientId, pkce, elsewhere)).body.error).toBe('invalid_grant');
  });

  test('a code is valid for a minute', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    api.clock.advance(60_000);
    expect((await assistant.exchange(code, clientId, pkce)).body.error).toBe('invalid_grant');
  });

  test('codes and tokens are not guessed: 429 after thirty wrong ones of an address', async () => {
    const { clientId, pkce } = await start();
    const guesser = open();
    const statuses: number[] = [];
    for (let guess = 0; guess < 32; guess++)
      statuses.push((await guesser.exchange(`sw_code_${'x'.repeat(43)}`, clientId, pkce)).status);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(400));
    expect(statuses.slice(30)).toEqual([429, 429]);
  });
});

test.each([
  ['plain', { code_challenge_method: 'plain' }],
  ['no method', { code_challenge_method: undefined }],
  ['no challenge', { code_challenge: undefined }],
  ['a challenge of another length', { code_challenge: 'abc' }],
])('PKCE with %s is refused', async (_, changes) => {
  const { assistant, browser, clientId, pkce } = await start();
  const query = assistant.ask(clientId, pkce, changes);
  expect(await modelOf(browser, query)).toMatchObject({
    state: 'refused',
    message: expect.stringMatching(/PKCE/),
  });
  expect((await postConsent(browser, query)).status).toBe(400);
});

test.each([
  'https://assistant.example:444/callback',
  'https://assistant.example/callback/',
  'https://assistant.example/callback/../evil',
  'https://assistant.example/Callback',
  'https://assistant.example/callback?next=https://evil.example',
  'https://assistant.example/callback#fragment',
  'https://user@assistant.example/callback',
  'https://assistant.example@evil.example/callback',
  'https://assistant.example.evil.example/callback',
  'https://evil.example/https://assistant.example/callback',
  'https://assistant.example%2f@evil.example/callback',
  'http://assistant.example/callback',
  '//evil.example/callback',
  'javascript:alert(1)//https://assistant.example/callback',
  'https://assistant.example\\@evil.example/callback',
  '',
])('the redirect_uri %j leads nowhere', async (changed) => {
  const { assistant, browser, clientId, pkce } = await start();
  const query = assistant.ask(clientId, pkce, { redirect_uri: changed });
  const page = await browser.sendAs(html, 'GET', `/connect?${query}`);
  expect(page.headers.get('location')).toBeNull();
  expect(dataOfPage(page).model).toMatchObject({ state: 'unknown' });
  expect(String(page.body)).not.toContain('evil');
  expect((await postConsent(browser, query)).status).toBe(400);
});

test('of two redirect addresses or clients in one request neither is taken', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  const query = assistant.ask(clientId, pkce);
  for (const added of ['redirect_uri=https://evil.example', `client_id=${clientId}`])
    for (const twice of [`${query}&${added}`, `${added}&${query}`])
      expect(await modelOf(browser, twice)).toMatchObject({ state: 'unknown' });
  expect(await modelOf(browser, `${query}&state=other`)).toMatchObject({ state: 'refused' });
  const later = `state=first&${query}&redirect_uri=https://evil.example`;
  expect(await modelOf(browser, later)).toMatchObject({ state: 'unknown' });
});

test('a program on the machine of its user may use another port, and nothing else may differ', async () => {
  const { assistant, browser, pkce } = await start();
  const registered = 'http://127.0.0.1:5000/callback';
  const clientId = (await assistant.register({ redirect_uris: [registered] })).body.client_id;
  const stateOf = async (uri: string) =>
    (await modelOf(browser, assistant.ask(clientId, pkce, { redirect_uri: uri }))).state;
  expect(await stateOf('http://127.0.0.1:61234/callback')).toBe('asking');
  for (const uri of [
    'http://127.0.0.1:61234/other',
    'http://localhost:5000/callback',
    'https://127.0.0.1:5000/callback',
    'http://127.0.0.2:5000/callback',
    'http://user@127.0.0.1:61234/callback',
  ])
    expect({ uri, state: await stateOf(uri) }).toEqual({ uri, state: 'unknown' });
});

test('the consent page never redirects by itself, whatever is wrong with a request', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  for (const changes of [
    {},
    { response_type: 'token' },
    { scope: 'admin' },
    { resource: 'https://other.example/mcp' },
    { client_id: 'unknown' },
  ]) {
    const page = await browser.sendAs(html, 'GET', `/connect?${assistant.ask(clientId, pkce, changes)}`);
    expect({ status: page.status, location: page.headers.get('location') }).toEqual({
      status: 200,
      location: null,
    });
  }
});

test('every answer names its issuer, so that no client takes it for that of another server', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  const query = assistant.ask(clientId, pkce);
  const { declineUrl } = await modelOf(browser, query);
  const declined = Object.fromEntries(new URL(declineUrl).searchParams);
  expect(declined).toMatchObject({ error: 'access_denied', iss: publicUrl, state: 'its state' });
  const { body } = await postConsent(browser, query);
  expect(new URL(body.data.address).searchParams.get('iss')).toBe(publicUrl);
});

test('a token is for this server: another resource gets none, and one of a former address is refused', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  const other = assistant.ask(clientId, pkce, { resource: 'https://other.example/mcp' });
  expect(await modelOf(browser, other)).toMatchObject({ state: 'refused' });
  const code = await allow(browser, assistant.ask(clientId, pkce));
  const elsewhere = { resource: 'https://other.example/mcp' };
  expect((await assistant.exchange(code, clientId, pkce, elsewhere)).body.error).toBe('invalid_target');
  const { body: tokens } = await assistant.exchange(code, clientId, pkce);
  expect((await assistant.refresh(tokens.refresh_token, clientId, elsewhere)).body.error).toBe(
    'invalid_target',
  );
  await api.connection
    .collection('oauth_grants')
    .updateMany({ client_id: clientId }, { $set: { resource: 'https://former.example/mcp' } });
  expect((await assistant.send(tokens.access_token)).status).toBe(401);
});

test('a client that names no resource, as the first ones did, gets a token for this server', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  const code = await allow(browser, assistant.ask(clientId, pkce, { resource: undefined }));
  const { body: tokens } = await assistant.exchange(code, clientId, pkce);
  expect((await assistant.send(tokens.access_token)).status).toBe(200);
});

test('a resource is the same with a slash at its end', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  const withSlash = { resource: `${resource}/` };
  const code = await allow(browser, assistant.ask(clientId, pkce, withSlash));
  const { body: tokens } = await assistant.exchange(code, clientId, pkce, withSlash);
  expect((await assistant.send(tokens.access_token)).status).toBe(200);
  expect((await assistant.refresh(tokens.refresh_token, clientId, withSlash)).status).toBe(200);
});

test('an address that comes with expired tokens again and again is refused after 120 calls in a minute', async () => {
  const { assistant, browser } = await start();
  const { access_token: token } = await assistant.connect(browser);
  api.clock.advance(3_600_000);
  const flooder = open();
  const statuses: number[] = [];
  for (let call = 0; call < 122; call++) statuses.push((await flooder.send(token)).status);
  expect(statuses.slice(0, 120)).toEqual(Array(120).fill(401));
  expect(statuses.slice(120)).toEqual([429, 429]);
});

test('an address that comes to /mcp without a token is refused after thirty calls in a minute; a valid token is not', async () => {
  const { assistant, browser } = await start();
  const { access_token: token } = await assistant.connect(browser);
  const from = { 'x-forwarded-for': nextAddress() };
  const send = (headers: Record<string, string> = {}) =>
    api.call('POST', '/mcp', { key: null, body: {}, headers: { ...from, ...headers } });
  const statuses: number[] = [];
  for (let call = 0; call < 32; call++) statuses.push((await send()).status);
  expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
  expect((await send()).headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await send({ authorization: `Bearer ${token}` })).status).toBe(200);
});

describe('refresh tokens', () => {
  test('the reuse of one ends the connection with all its tokens', async () => {
    const { assistant, browser } = await start();
    const first = await assistant.connect(browser);
    const { body: second } = await assistant.refresh(first.refresh_token, first.clientId);
    expect((await assistant.send(second.access_token)).status).toBe(200);
    expect((await assistant.refresh(first.refresh_token, first.clientId)).body.error).toBe('invalid_grant');
    for (const { access_token: token } of [first, second])
      expect((await assistant.send(token)).status).toBe(401);
    expect((await assistant.refresh(second.refresh_token, first.clientId)).body.error).toBe('invalid_grant');
    expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
  });

  test('of two uses at the same time one gets tokens at most, and the connection ends', async () => {
    const { assistant, browser } = await start();
    const { refresh_token: token, clientId } = await assistant.connect(browser);
    const answers = await Promise.all([assistant.refresh(token, clientId), open().refresh(token, clientId)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
  });

  test('another client cannot use one, nor end the connection with it', async () => {
    const { assistant, browser } = await start();
    const { refresh_token: token, clientId } = await assistant.connect(browser);
    expect((await open().refresh(token, 'another')).body.error).toBe('invalid_grant');
    expect((await assistant.refresh(token, clientId)).status).toBe(200);
  });
});

describe('registrations', () => {
  test('one address registers twenty a minute', async () => {
    const flooder = open();
    const statuses: number[] = [];
    for (let call = 0; call < 22; call++) {
      statuses.push((await flooder.register()).status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect((await open().register()).status).toBe(201);
  });

  test('a network of IPv6 counts as one, however many addresses register', async () => {
    const { assistant, browser, pkce } = await start();
    const registerFrom = async (subnet: number): Promise<string> => {
      const from = `2001:db8:1:${subnet.toString(16)}::1`;
      return (await openAssistant(api, { from }).register()).body.client_id;
    };
    const stateOf = async (id: string) => (await modelOf(browser, assistant.ask(id, pkce))).state;
    const first = await registerFrom(0);
    const later: string[] = [];
    for (let subnet = 1; subnet <= 50; subnet++) later.push(await registerFrom(subnet));
    expect(await stateOf(first)).toBe('unknown');
    expect(await stateOf(later[0] ?? '')).toBe('asking');
  });

  test('a flood evicts its own: a new assistant still gets in, and a used one stays', async () => {
    const limits = { used: 10, unused: 200, unusedOfSource: 10 };
    const clients = createClientStore({ connection: api.connection, now: api.clock.now, limits });
    const metadata = { name: 'Claude', redirectUris: [redirectUri] };
    await api.connection.collection('oauth_clients').deleteMany({});
    const used = await clients.register(metadata, 'office');
    await clients.noteUse(used.id);
    const fresh = await clients.register(metadata, 'home');
    for (let flood = 0; flood < 300; flood++) {
      api.clock.advance(10);
      await clients.register(metadata, `flooder ${flood % 15}`);
    }
    expect(await clients.find(used.id)).not.toBeNull();
    expect(await clients.find(fresh.id)).not.toBeNull();
    expect(await api.connection.collection('oauth_clients').countDocuments()).toBe(152);
  });

  test('a flood from more networks than the limit evicts the oldest that were never used, and does not grow', async () => {
    const limits = { used: 10, unused: 100, unusedOfSource: 50 };
    const clients = createClientStore({ connection: api.connection, now: api.clock.now, limits });
    const metadata = { name: 'Claude', redirectUris: [redirectUri] };
    const collection = api.connection.collection('oauth_clients');
    await collection.deleteMany({});
    const used = await clients.register(metadata, 'office');
    await clients.noteUse(used.id);
    for (let flood = 0; flood < 300; flood++) {
      api.clock.advance(10);
      await clients.register(metadata, `flooder ${flood}`);
    }
    const fresh = await clients.register(metadata, 'home');
    expect(await collection.countDocuments()).toBeLessThanOrEqual(160);
    await clients.sweep(new AbortController().signal);
    expect(await collection.countDocuments()).toBe(101);
    expect(await clients.find(used.id)).not.toBeNull();
    expect(await clients.find(fresh.id)).not.toBeNull();
  });

  test('a flood from hundreds of networks evicts its own: one that was registered before it stays', async () => {
    const limits = { used: 10, unused: 400, unusedOfSource: 50 };
    const clients = createClientStore({ connection: api.connection, now: api.clock.now, limits });
    const metadata = { name: 'Claude', redirectUris: [redirectUri] };
    await api.connection.collection('oauth_clients').deleteMany({});
    const waiting = await clients.register(metadata, 'home');
    for (let flood = 0; flood < 900; flood++) {
      api.clock.advance(10);
      await clients.register(metadata, `flooder ${flood % 300}`);
    }
    await clients.sweep(new AbortController().signal);
    expect(await api.connection.collection('oauth_clients').countDocuments()).toBe(400);
    expect(await clients.find(waiting.id)).not.toBeNull();
  });

  test('one that the page has shown to a person gets in, whatever floods from however many networks', async () => {
    await api.connection.collection('oauth_clients').deleteMany({});
    const { assistant, browser, clientId, pkce } = await start();
    const query = assistant.ask(clientId, pkce);
    expect(await modelOf(browser, query)).toMatchObject({ state: 'asking' });
    const unseen: string = (await open().register()).body.client_id;
    const limits = { used: 10, unused: 100, unusedOfSource: 50 };
    const clients = createClientStore({ connection: api.connection, now: api.clock.now, limits });
    for (let flood = 0; flood < 300; flood++) {
      api.clock.advance(10);
      await clients.register({ name: 'Claude', redirectUris: [redirectUri] }, `flooder ${flood}`);
    }
    await clients.sweep(new AbortController().signal);
    expect(await api.connection.collection('oauth_clients').countDocuments()).toBe(100);
    expect(await clients.find(unseen)).toBeNull();
    const code = await allow(browser, query);
    expect((await assistant.exchange(code, clientId, pkce)).status).toBe(200);
  });

  test('an account that opens the page of as many as there may be keeps no new one out', async () => {
    const limits = { used: 10, unused: 100, unusedOfSource: 50 };
    const clients = createClientStore({ connection: api.connection, now: api.clock.now, limits });
    const metadata = { name: 'Claude', redirectUris: [redirectUri] };
    await api.connection.collection('oauth_clients').deleteMany({});
    for (let opened = 0; opened < 150; opened++) {
      api.clock.advance(10);
      await clients.noteShown((await clients.register(metadata, `opener ${opened % 3}`)).id);
    }
    const waiting = await clients.register(metadata, 'home');
    api.clock.advance(10);
    await clients.noteShown((await clients.register(metadata, 'opener 0')).id);
    await clients.sweep(new AbortController().signal);
    expect(await api.connection.collection('oauth_clients').countDocuments()).toBe(100);
    expect(await clients.find(waiting.id)).not.toBeNull();
  });

  test('ten thousand dead clients neither keep a new one out nor grow', async () => {
    const collection = api.connection.collection('oauth_clients');
    await collection.deleteMany({});
    const at = api.clock.now().getTime();
    for (let batch = 0; batch < 20; batch++)
      await collection.insertMany(
        Array.from({ length: 500 }, (_, index) => ({
          _id: `dead ${batch}-${index}` as never,
          name: 'Dead',
          redirect_uris: [redirectUri],
          created_at: new Date(at - 90 * 86_400_000),
          used_at: new Date(at - 80 * 86_400_000 + batch * 500 + index),
        })),
      );
    const clients = createClientStore({ connection: api.connection, now: api.clock.now });
    const { id } = await clients.register({ name: 'New', redirectUris: [redirectUri] }, 'home');
    await clients.sweep(new AbortController().signal);
    expect(await clients.find(id)).not.toBeNull();
    await clients.noteUse(id);
    expect(await clients.find(id)).not.toBeNull();
    await clients.sweep(new AbortController().signal);
    expect(await collection.countDocuments()).toBe(5000);
    expect(await clients.find('dead 0-0')).toBeNull();
    expect(await clients.find(id)).not.toBeNull();
    const { browser, assistant } = await start();
    expect((await assistant.connect(browser)).scope).toBe('read write');
    await collection.deleteMany({});
  });

  test('a client that was never used is gone after a day; a connection outlives its client', async () => {
    const { assistant, browser, clientId } = await start();
    const tokens = await assistant.connect(browser);
    const clients = createClientStore({ connection: api.connection, now: api.clock.now });
    api.clock.advance(86_400_000);
    await clients.sweep(new AbortController().signal);
    expect(await clients.find(clientId)).toBeNull();
    expect(await clients.find(tokens.clientId)).not.toBeNull();
    await api.connection.collection('oauth_clients').deleteMany({});
    expect((await assistant.refresh(tokens.refresh_token, tokens.clientId)).status).toBe(200);
  });
});

describe('another site', () => {
  test.each([
    ['a form', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a form without the new headers', { origin: 'https://evil.example' }],
    ['a script', { 'sec-fetch-site': 'cross-site', 'x-shelfwise-page': '1' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site', 'x-shelfwise-page': '1' }],
  ])('%s of another site allows nothing', async (_, headers) => {
    const { assistant, browser, clientId, pkce } = await start();
    const body = { query: assistant.ask(clientId, pkce), can_write: true };
    expect(refusalOf(await browser.sendAs(headers, 'POST', '/connect', { body }))).toBe('403 FOREIGN_PAGE');
    const list = await api.connection.collection('oauth_codes').find({ client_id: clientId }).toArray();
    expect(list).toEqual([]);
  });

  test('the page cannot be framed, runs no foreign script, and sends no referrer', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    const { headers } = await browser.sendAs(html, 'GET', `/connect?${assistant.ask(clientId, pkce)}`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('looking at the page changes nothing', async () => {
    const { assistant, browser, clientId, pkce } = await start();
    await browser.sendAs(
      { 'sec-fetch-site': 'cross-site' },
      'GET',
      `/connect?${assistant.ask(clientId, pkce)}`,
    );
    expect(await api.connection.collection('oauth_codes').countDocuments({ client_id: clientId })).toBe(0);
    const client = await api.connection.collection('oauth_clients').findOne({ _id: clientId as never });
    expect(client?.used_at).toBeNull();
  });

  test('a request of the page without a session is refused', async () => {
    const { assistant, clientId, pkce } = await start();
    const body = { query: assistant.ask(clientId, pkce), can_write: true };
    const headers = { ...ownPage, 'x-forwarded-for': nextAddress() };
    expect((await api.call('POST', '/dashboard/connect', { key: null, headers, body })).status).toBe(401);
  });
});

describe('documents of clients', () => {
  const id = 'https://assistant.example/client.json';
  const document = (changes: object = {}) => ({
    status: 200,
    answer: JSON.stringify({
      client_id: id,
      client_name: 'Claude',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      ...changes,
    }),
  });
  beforeEach(() => {
    documents.clear();
    asked.length = 0;
  });

  test('connect a client that has never registered; the host of its document is shown as proven', async () => {
    documents.set(id, document());
    const { assistant, browser, pkce } = await start(documented);
    const query = assistant.ask(id, pkce);
    expect(await modelOf(browser, query)).toMatchObject({
      state: 'asking',
      client: 'Claude',
      provenHost: 'assistant.example',
    });
    const code = await allow(browser, query);
    const { status, body } = await assistant.exchange(code, id, pkce);
    expect(status).toBe(200);
    expect((await assistant.refresh(body.refresh_token, id)).status).toBe(200);
  });

  test('are read for people who are signed in only', async () => {
    documents.set(id, document());
    const { assistant, pkce } = await start(documented);
    const headers = { ...html, 'x-forwarded-for': nextAddress() };
    await documented.call('GET', `/dashboard/connect?${assistant.ask(id, pkce)}`, { key: null, headers });
    await assistant.exchange('sw_code_x', id, pkce);
    expect(asked).toEqual([]);
  });

  test.each([
    ['another id', { client_id: 'https://assistant.example/other.json' }],
    ['a secret', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['no address to go back to', { redirect_uris: [] }],
    ['a script as its address', { redirect_uris: ['javascript:alert(1)'] }],
  ])('that name %s are refused', async (_, changes) => {
    documents.set(id, document(changes));
    const { assistant, browser, pkce } = await start(documented);
    expect(await modelOf(browser, assistant.ask(id, pkce))).toMatchObject({ state: 'unknown' });
  });

  test.each([
    ['not JSON', { status: 200, answer: '<html>' }],
    ['null', { status: 200, answer: 'null' }],
    ['moved', { status: 302, answer: JSON.stringify({ client_id: id, redirect_uris: [redirectUri] }) }],
  ])('that are %s are refused', async (_, answered) => {
    documents.set(id, answered);
    const { assistant, browser, pkce } = await start(documented);
    expect(await modelOf(browser, assistant.ask(id, pkce))).toMatchObject({ state: 'unknown' });
  });

  test.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://10.0.0.1/client.json',
    'https://192.168.1.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/client.json',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://assistant.example:22/client.json',
    'http://assistant.example/client.json',
    'https://user@assistant.example/client.json',
    'https://assistant.example/a/../client.json',
    'https://assistant.example',
  ])('at %s are not read', async (address) => {
    const { assistant, browser, pkce } = await start();
    const model = await modelOf(browser, assistant.ask(address, pkce));
    expect(model).toMatchObject({ state: 'unknown' });
    expect((await postConsent(browser, assistant.ask(address, pkce))).status).toBe(400);
  });

  test('are read again for the consent: what has changed since the page was shown counts', async () => {
    documents.set(id, document());
    const { assistant, browser, pkce } = await start(documented);
    const query = assistant.ask(id, pkce);
    expect(await modelOf(browser, query)).toMatchObject({ state: 'asking' });
    documents.set(id, document({ redirect_uris: ['https://other.example/callback'] }));
    expect((await postConsent(browser, query)).status).toBe(400);
    documents.delete(id);
    expect((await postConsent(browser, query)).status).toBe(400);
    const codes = documented.connection.collection('oauth_codes');
    expect(await codes.countDocuments({ client_id: id, code_challenge: pkce.challenge })).toBe(0);
  });

  test('cannot send the person elsewhere than the page has shown: the request names the address', async () => {
    documents.set(id, document());
    const { assistant, browser, clientId, pkce } = await start(documented);
    const without = { redirect_uri: undefined };
    expect(await modelOf(browser, assistant.ask(id, pkce, without))).toMatchObject({ state: 'unknown' });
    expect((await postConsent(browser, assistant.ask(id, pkce, without))).status).toBe(400);
    // What a client has registered never changes.
    expect(await modelOf(browser, assistant.ask(clientId, pkce, without))).toMatchObject({
      state: 'asking',
      redirectHost: 'assistant.example',
    });
  });

  test('an account has twenty of them read in a minute', async () => {
    documents.set(id, document());
    const { assistant, browser, pkce } = await start(documented);
    const query = assistant.ask(id, pkce);
    for (let look = 0; look < 20; look++) await browser.sendAs(html, 'GET', `/connect?${query}`);
    expect(await modelOf(browser, query)).toMatchObject({
      state: 'unknown',
      message: expect.stringMatching(/Too many/),
    });
    expect(asked).toHaveLength(20);
  });
});

test.each([
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['"><img src=x onerror=alert(1)>', '"><img src=x onerror=alert(1)>'],
  ['Claude\u202e\u200b\n\n by  Anthropic', 'Claude by Anthropic'],
  ['\u200b', 'An assistant'],
  ['x'.repeat(500), 'x'.repeat(80)],
])('the name %j is shown as text, in one line, next to the host', async (name, shown) => {
  const { assistant, browser, pkce } = await start();
  const clientId = (await assistant.register({ client_name: name })).body.client_id;
  const page = await browser.sendAs(html, 'GET', `/connect?${assistant.ask(clientId, pkce)}`);
  expect(dataOfPage(page).model).toMatchObject({
    client: shown,
    provenHost: null,
    redirectHost: 'assistant.example',
  });
  expect(String(page.body)).not.toMatch(/<script>alert|<img/);
});

test('codes and tokens are stored as hashes only, and are in no log, error or header', async () => {
  const { assistant, browser, clientId, pkce } = await start();
  const answer = await postConsent(browser, assistant.ask(clientId, pkce));
  const code = codeIn(answer.body.data.address);
  expect(JSON.stringify([...answer.headers])).not.toContain(code);
  const { body: tokens } = await assistant.exchange(code, clientId, pkce);
  const message = { method: 'tools/call', params: { name: 'get_account_usage' } };
  const { key: credential } = (await assistant.send(tokens.access_token, message)).body;
  const secrets = [code, tokens.access_token, tokens.refresh_token, credential];

  const stored: string[] = [];
  for (const { name } of await api.connection.listCollections())
    for await (const row of api.connection.collection(name).find({})) stored.push(JSON.stringify(row));
  for (const secret of secrets) expect(stored.join()).not.toContain(secret.slice(-43));
  expect(stored.join()).toContain(hashSecret(tokens.access_token));

  const wrong: string[] = [];
  for (const secret of secrets) {
    const headers = { 'x-forwarded-for': nextAddress() };
    const errors = [
      await assistant.exchange(secret, clientId, pkce, { redirect_uri: secret, grant_type: secret }),
      await assistant.register({ redirect_uris: [secret], grant_types: [secret] }),
      await api.call('GET', `/api/v1/applications?api_key=${secret}`, { key: null, headers }),
      await api.call('POST', `/api/v1/${secret}`, {
        key: secret,
        headers: { ...headers, 'x-request-id': secret },
      }),
      await api.call('GET', `/dashboard/connect?client_id=${secret}`, { key: null, headers }),
    ];
    wrong.push(...errors.map(({ body, headers: sent }) => JSON.stringify([body, ...sent])));
  }
  for (const secret of secrets) {
    expect(wrong.join()).not.toContain(secret.slice(-43));
    expect(JSON.stringify(api.lines)).not.toContain(secret.slice(-43));
  }
});

test('a body of a stranger is short, a form, and has each field once', async () => {
  const { clientId, pkce } = await start();
  const headers = { 'x-forwarded-for': nextAddress() };
  const post = (path: string, raw: string, type: string) =>
    api.call('POST', path, { key: null, raw, headers: { ...headers, 'content-type': type } });
  const form = 'application/x-www-form-urlencoded';
  expect(await post('/oauth/token', 'x'.repeat(10_001), form)).toMatchObject({
    status: 413,
    body: { error: 'invalid_request' },
  });
  expect(await post('/oauth/token', '{}', 'application/json')).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
  const fields = `grant_type=authorization_code&code=a&code=b&client_id=${clientId}&code_verifier=${pkce.verifier}`;
  expect((await post('/oauth/token', fields, form)).body.error).toBe('invalid_request');
  expect((await post('/oauth/token', 'grant_type=password&client_id=x', form)).body.error).toBe(
    'unsupported_grant_type',
  );
});
