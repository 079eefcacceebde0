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
import { openBrowser, ownPage } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const assets = {
  head: pageHead(),
  files: new Map(),
};
const api = useGateway({ trustProxy: 1, mcp: echoEndpoint, dashboard: { publicUrl, assets } });
const off = useGateway({ trustProxy: 1, mcp: echoEndpoint });

let addresses = 0;
const open = () => openAssistant(api, { from: `10.3.${Math.floor(++addresses / 250)}.${addresses % 250}` });
const html = { accept: 'text/html' };
const newBrowser = async () => {
  const account = await api.createKey();
  return { ...account, browser: await signedIn(api, account.key) };
};
const callApi = (credential: string, requestId: string, path = '/api/v1/account/usage', method = 'GET') =>
  api.call(method, path, {
    key: credential,
    headers: { 'x-request-id': requestId, 'x-forwarded-for': `10.4.0.${(addresses++ % 250) + 1}` },
  });

test('an assistant that knows only the address finds out where to register, and where its user allows it', async () => {
  const refused = await open().send(null);
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  expect(challenge).toBe(
    'Bearer resource_metadata="https://aso.example/.well-known/oauth-protected-resource/mcp"',
  );
  for (const path of ['', '/mcp']) {
    const found = await api.call('GET', `/.well-known/oauth-protected-resource${path}`, { key: null });
    expect(found).toMatchObject({ status: 200, body: { resource, authorization_servers: [publicUrl] } });
    expect(found.headers.get('access-control-allow-origin')).toBe('*');
  }
  const server = await api.call('GET', '/.well-known/oauth-authorization-server', { key: null });
  expect(server.body).toMatchObject({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/dashboard/connect`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

test('no address comes from the Host of a request', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  for (const path of ['oauth-protected-resource/mcp', 'oauth-authorization-server']) {
    const { body } = await api.call('GET', `/.well-known/${path}`, { key: null, headers });
    expect(JSON.stringify(body)).not.toContain('evil.example');
  }
  const refused = await api.call('POST', '/mcp', { key: null, body: {}, headers });
  expect(refused.headers.get('www-authenticate')).not.toContain('evil.example');
});

test('a request with a token is answered by the stated name, and by no other', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const { access_token: token } = await assistant.connect(browser);
  const statusAt = async (host: string) => {
    const headers = { authorization: `Bearer ${token}`, host };
    return (await api.call('POST', '/mcp', { key: null, body: { method: 'tools/list' }, headers })).status;
  };
  expect(await statusAt('aso.example')).toBe(200);
  expect(await statusAt('evil.example')).toBe(403);
  expect(await statusAt('aso.example.evil.example')).toBe(403);
});

test('without an address that others reach there is none of it, and keys work as ever', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'])
    expect((await off.call('GET', path, { key: null })).status).toBe(404);
  const headers = { 'x-forwarded-for': '10.3.9.1' };
  for (const path of ['/oauth/register', '/oauth/token'])
    expect((await off.call('POST', path, { key: null, headers, body: {} })).status).toBe(401);
  const refused = await off.call('POST', '/mcp', { key: null, headers, body: {} });
  expect(refused).toMatchObject({ status: 401, body: { code: 'MISSING_API_KEY' } });
  expect(refused.headers.get('www-authenticate')).toBeNull();
  expect((await off.call('POST', '/mcp', { body: { method: 'tools/list' } })).status).toBe(200);
  const browser = await signedIn(off, off.key);
  expect((await browser.send('POST', '/connect', { body: {} })).status).toBe(404);
});

test('with a key nothing changes: the assistant server gets the key, and no scope', async () => {
  const { body } = await api.call('POST', '/mcp', {
    body: { method: 'tools/call' },
    headers: { 'x-shelfwise-scope': 'read', 'x-shelfwise-account': 'another' },
  });
  expect(body).toMatchObject({ key: api.key, account: api.accountId, scope: null });
});

test('a client registers itself, without a secret', async () => {
  const { status, body } = await open().register({
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'read',
    logo_uri: null,
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_id_issued_at: Math.floor(api.clock.now().getTime() / 1000),
    client_name: 'Claude',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

test.each([
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['http://assistant.example/callback'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [{ client_name: 7 }, 'invalid_client_metadata'],
  [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
])('a registration with %j is refused with %s', async (metadata, error) => {
  const { status, body } = await open().register(metadata);
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { error, error_description: expect.any(String) },
  });
});

test('the whole flow: the page asks, the code becomes tokens, the token works on /mcp', async () => {
  const assistant = open();
  const { browser, id } = await newBrowser();
  const { client_id: clientId } = (await assistant.register()).body;
  const pkce = createPkce();
  const query = assistant.ask(clientId, pkce);
  const page = await browser.sendAs(html, 'GET', `/connect?${query}`);
  expect(dataOfPage(page)).toMatchObject({
    page: 'connect',
    model: {
      state: 'asking',
      client: 'Claude',
      provenHost: null,
      redirectHost: 'assistant.example',
      canWrite: true,
      asksToWrite: true,
    },
  });
  const { body } = await postConsent(browser, query);
  const address = new URL(body.data.address);
  expect(`${address.origin}${address.pathname}`).toBe(redirectUri);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    code: expect.stringMatching(/^sw_code_/),
    state: 'its state',
    iss: publicUrl,
  });
  const tokens = await assistant.exchange(codeIn(address.href), clientId, pkce);
  expect(tokens).toMatchObject({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^sw_access_[0-9A-Za-z]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^sw_refresh_/),
      scope: 'read write',
    },
  });
  expect(tokens.headers.get('cache-control')).toBe('no-store');
  const answer = await assistant.send(tokens.body.access_token);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      account: id,
      scope: 'read write',
      metadata: 'https://aso.example/.well-known/oauth-protected-resource/mcp',
    },
  });
  expect(JSON.stringify(answer.body)).not.toContain(tokens.body.access_token);
});

test('a person who is not signed in does so on the same page, which tells nothing of the request', async () => {
  const assistant = open();
  const { client_id: clientId } = (await assistant.register()).body;
  const stranger = openBrowser(api);
  const page = await stranger.sendAs(html, 'GET', `/connect?${assistant.ask(clientId, createPkce())}`);
  expect(page.status).toBe(200);
  expect(dataOfPage(page)).toEqual({ page: 'sign-in', frame: null, model: { isForConnection: true } });
});

test('a person can allow less than is asked for; without a scope the person decides', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  expect((await assistant.connect(browser, { canWrite: false })).scope).toBe('read');
  expect((await assistant.connect(browser, { scope: 'read' })).scope).toBe('read');
  expect((await assistant.connect(browser, { scope: 'write' })).scope).toBe('read write');
  expect((await assistant.connect(browser, { scope: 'read openid offline_access' })).scope).toBe('read');
});

test('without a scope the page offers to write, and has not chosen it', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const { client_id: clientId } = (await assistant.register()).body;
  const modelFor = async (scope: string | undefined) => {
    const query = assistant.ask(clientId, createPkce(), { scope });
    return dataOfPage(await browser.sendAs(html, 'GET', `/connect?${query}`)).model;
  };
  expect(await modelFor(undefined)).toMatchObject({ canWrite: true, asksToWrite: false });
  expect(await modelFor('')).toMatchObject({ canWrite: true, asksToWrite: false });
  expect(await modelFor('read')).toMatchObject({ canWrite: false, asksToWrite: false });
  expect(await modelFor('read write')).toMatchObject({ canWrite: true, asksToWrite: true });
});

test('a plan without API access has no connections', async () => {
  const assistant = open();
  const { key } = await api.createKey('free');
  const browser = await signedIn(api, key);
  const { client_id: clientId } = (await assistant.register()).body;
  const query = assistant.ask(clientId, createPkce());
  const page = dataOfPage(await browser.sendAs(html, 'GET', `/connect?${query}`));
  expect(page.model).toMatchObject({ state: 'refused', message: expect.stringMatching(/plan/) });
  expect((await postConsent(browser, query)).status).toBe(400);
});

describe('the credential of a call', () => {
  const message = { method: 'tools/call', params: { name: 'get_account_usage' } };

  beforeEach(() => {
    api.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
  });

  test('is made for a message that leads to a call, and works once, with the id of the request', async () => {
    const assistant = open();
    const { browser, id } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser);
    expect((await assistant.send(token, { method: 'tools/list' })).body.key).toBe('sw_call_none');
    const { body } = await assistant.send(token, message, 'request-1');
    expect(body).toMatchObject({ key: expect.stringMatching(/^sw_call_[0-9A-Za-z]{43}$/), account: id });
    expect(refusalOf(await callApi(body.key, 'request-2'))).toBe('401 INVALID_API_KEY');
    expect((await callApi(body.key, 'request-1')).status).toBe(200);
    expect(refusalOf(await callApi(body.key, 'request-1'))).toBe('401 INVALID_API_KEY');
  });

  test('works in no other way and nowhere else', async () => {
    const assistant = open();
    const { browser } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser);
    const { key } = (await assistant.send(token, message)).body;
    const headers = { 'x-request-id': 'my-request', 'x-forwarded-for': '10.4.1.1' };
    const usage = '/api/v1/account/usage';
    const bearer = { ...headers, authorization: `Bearer ${key}` };
    for (const answer of [
      await api.call('GET', usage, { key: null, headers: bearer }),
      await api.call('GET', `${usage}?api_key=${key}`, { key: null, headers }),
      await api.call('POST', '/mcp', { key, headers, body: message }),
    ])
      expect(refusalOf(answer)).toBe('401 INVALID_API_KEY');
    const other = openBrowser(api);
    expect((await other.signInByKey(key)).status).toBe(401);
    expect((await callApi(key, 'my-request')).status).toBe(200);
  });

  test('expires after a minute', async () => {
    const assistant = open();
    const { browser } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser);
    const { key } = (await assistant.send(token, message)).body;
    api.clock.advance(60_000);
    expect(refusalOf(await callApi(key, 'my-request'))).toBe('401 INVALID_API_KEY');
  });

  test('that may read makes no call that changes something', async () => {
    const assistant = open();
    const { browser } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser, { canWrite: false });
    const { key } = (await assistant.send(token, message)).body;
    const path = '/api/v1/competitors/1';
    expect(refusalOf(await callApi(key, 'my-request', path, 'DELETE'))).toBe('401 INVALID_API_KEY');
  });

  test('a call that a full window refuses is made again with it; the account’s windows count it', async () => {
    const assistant = open();
    const { browser, key: apiKey } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser);
    const { key } = (await assistant.send(token, message)).body;
    for (let call = 0; call < 5; call++)
      await api.call('GET', '/api/v1/account/usage', { key: apiKey, withoutPause: call > 0 });
    const again = { key, withoutPause: true, headers: { 'x-request-id': 'my-request' } };
    expect((await api.call('GET', '/api/v1/account/usage', again)).status).toBe(429);
    expect((await callApi(key, 'my-request')).status).toBe(200);
  });

  test('a call that a busy service fails is made again with it if it only reads', async () => {
    const assistant = open();
    const { browser } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser);
    api.tracking.fail('getTotals', 'SERVICE_UNAVAILABLE');
    const { key: reading } = (await assistant.send(token, message)).body;
    expect((await callApi(reading, 'my-request')).status).toBe(503);
    api.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
    expect((await callApi(reading, 'my-request')).status).toBe(200);

    api.tracking.fail('untrackCompetitor', 'SERVICE_UNAVAILABLE');
    const { key: changing } = (await assistant.send(token, message)).body;
    const change = () => callApi(changing, 'my-request', '/api/v1/competitors/1', 'DELETE');
    expect((await change()).status).toBe(503);
    expect(refusalOf(await change())).toBe('401 INVALID_API_KEY');
  });

  test('of four calls with one at the same time, one is made', async () => {
    const assistant = open();
    const { browser } = await newBrowser();
    const { access_token: token } = await assistant.connect(browser);
    const { key } = (await assistant.send(token, message)).body;
    const headers = (at: number) => ({ 'x-request-id': 'my-request', 'x-forwarded-for': `10.4.2.${at}` });
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        api.call('GET', '/api/v1/account/usage', { key, withoutPause: at > 0, headers: headers(at + 1) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  test('ends with its connection', async () => {
    const assistant = open();
    const { browser } = await newBrowser();
    const { access_token: token, clientId } = await assistant.connect(browser);
    const { key } = (await assistant.send(token, message)).body;
    await assistant.revoke(token, clientId);
    expect(refusalOf(await callApi(key, 'my-request'))).toBe('401 INVALID_API_KEY');
  });
});

test('an access token is good for nothing but /mcp, and only in its header', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const { access_token: token } = await assistant.connect(browser);
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '10.4.3.1' };
  for (const path of ['/api/v1/applications', '/api/v1/account/usage', '/dashboard/api/account/usage'])
    expect((await api.call('GET', path, { key: null, headers })).status).toBe(401);
  expect(
    (
      await api.call('GET', '/api/v1/applications', {
        key: token,
        headers: { 'x-forwarded-for': '10.4.3.2' },
      })
    ).status,
  ).toBe(401);
  expect((await openBrowser(api).signInByKey(token)).status).toBe(401);
  for (const [path, key] of [
    [`/mcp?api_key=${token}`, null],
    ['/mcp', token],
  ] as const)
    expect(
      (await api.call('POST', path, { key, body: {}, headers: { 'x-forwarded-for': '10.4.3.3' } })).status,
    ).toBe(401);
});

test('an access token ends after an hour, and its client is told so; a refresh gives the next one', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const { access_token: token, refresh_token: refreshToken, clientId } = await assistant.connect(browser);
  api.clock.advance(3_600_000);
  for (let call = 0; call < 40; call++) {
    const expired = await assistant.send(token);
    expect(expired.status).toBe(401);
    expect(expired.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", .*expired/);
  }
  const { status, body } = await assistant.refresh(refreshToken, clientId, { resource, scope: 'read' });
  expect({ status, body }).toMatchObject({ status: 200, body: { scope: 'read' } });
  expect(body.refresh_token).not.toBe(refreshToken);
  expect((await assistant.send(body.access_token)).body.scope).toBe('read');
  const next = await assistant.refresh(body.refresh_token, clientId);
  expect(next.body.scope).toBe('read write');
});

test('a refresh gives no more than was allowed, and refuses a scope that does not exist', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const { refresh_token: first, clientId } = await assistant.connect(browser, { canWrite: false });
  const { body } = await assistant.refresh(first, clientId, { scope: 'read write' });
  expect(body.scope).toBe('read');
  expect((await assistant.send(body.access_token)).body.scope).toBe('read');
  const unknown = await assistant.refresh(body.refresh_token, clientId, { scope: 'admin' });
  expect(unknown).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  expect((await assistant.refresh(body.refresh_token, clientId)).status).toBe(200);
});

test('an access token ends with its connection, also where it is cached', async () => {
  const assistant = open();
  const day = 24 * 3_600_000;
  const { browser } = await newBrowser();
  let { refresh_token: refreshToken, clientId } = await assistant.connect(browser);
  const refresh = async () => {
    const { body } = await assistant.refresh(refreshToken, clientId);
    refreshToken = body.refresh_token;
    return body;
  };
  for (let month = 0; month < 3; month++) {
    api.clock.advance(29 * day);
    await refresh();
  }
  const grant = await api.connection.collection('oauth_grants').findOne({ client_id: clientId });
  const endsAt = grant?.created_at.getTime() + 90 * day;
  // Each call takes 1,020 ms.
  api.clock.advance(endsAt - api.clock.now().getTime() - 600_000 - 1020);
  const { access_token: token, expires_in: seconds } = await refresh();
  expect(seconds).toBe(600);
  expect((await assistant.send(token)).status).toBe(200);
  api.clock.advance(600_000);
  expect((await assistant.send(token)).status).toBe(401);
});

test('a connection ends thirty days after its last use, and ninety after its start', async () => {
  const assistant = open();
  const day = 24 * 3_600_000;
  const { browser } = await newBrowser();
  const unused = await assistant.connect(browser);
  api.clock.advance(30 * day);
  expect((await assistant.refresh(unused.refresh_token, unused.clientId)).body.error).toBe('invalid_grant');

  const { browser: other } = await newBrowser();
  let { refresh_token: refreshToken, clientId } = await assistant.connect(other);
  for (let month = 0; month < 3; month++) {
    api.clock.advance(29 * day);
    const { status, body } = await assistant.refresh(refreshToken, clientId);
    expect(status).toBe(200);
    refreshToken = body.refresh_token;
  }
  api.clock.advance(3 * day);
  expect((await assistant.refresh(refreshToken, clientId)).body.error).toBe('invalid_grant');
});

test.each(['access_token', 'refresh_token'] as const)('revoking its %s ends a connection', async (name) => {
  const assistant = open();
  const { browser } = await newBrowser();
  const tokens = await assistant.connect(browser);
  expect((await assistant.send(tokens.access_token)).status).toBe(200);
  expect((await assistant.revoke(tokens[name], 'another client')).status).toBe(200);
  expect((await assistant.send(tokens.access_token)).status).toBe(200);
  expect((await assistant.revoke(tokens[name], tokens.clientId)).status).toBe(200);
  expect((await assistant.send(tokens.access_token)).status).toBe(401);
  expect((await assistant.refresh(tokens.refresh_token, tokens.clientId)).status).toBe(400);
  expect((await assistant.revoke(tokens[name], tokens.clientId)).status).toBe(200);
});

test('the account lists its connections and ends one or all; those of others are 404', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const { browser: stranger } = await newBrowser();
  const first = await assistant.connect(browser, { canWrite: false });
  const second = await assistant.connect(browser);
  const { body } = await browser.send('GET', '/connections');
  expect(body.data).toMatchObject([
    { client_name: 'Claude', redirect_host: 'assistant.example', scopes: ['read', 'write'] },
    { client_name: 'Claude', scopes: ['read'], id: expect.any(String), created_at: expect.any(String) },
  ]);
  const { id } = body.data[1];
  expect((await stranger.send('DELETE', `/connections/${id}`)).status).toBe(404);
  expect((await browser.sendAs(ownPage, 'DELETE', `/connections/${id}`)).status).toBe(200);
  expect((await assistant.send(first.access_token)).status).toBe(401);
  expect((await assistant.send(second.access_token)).status).toBe(200);
  expect((await browser.send('DELETE', '/connections')).body.data).toEqual({ ended: 1 });
  expect((await assistant.send(second.access_token)).status).toBe(401);
  expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
});

test('ending all connections also ends the codes that would become one', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const clientId = (await assistant.register()).body.client_id;
  const pkce = createPkce();
  const code = await allow(browser, assistant.ask(clientId, pkce));
  await browser.send('DELETE', '/connections');
  expect((await assistant.exchange(code, clientId, pkce)).body.error).toBe('invalid_grant');
  expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
});

test('an account has at most fifty connections: the longest unused one ends', async () => {
  const assistant = open();
  const { browser } = await newBrowser();
  const clientId = (await assistant.register()).body.client_id;
  const first = await assistant.connect(browser, { clientId });
  for (let more = 0; more < 49; more++) await assistant.connect(browser, { clientId });
  expect((await assistant.send(first.access_token)).status).toBe(200);
  await assistant.connect(browser, { clientId });
  expect((await assistant.send(first.access_token)).status).toBe(401);
  expect((await browser.send('GET', '/connections')).body.data).toHaveLength(50);
});

test('a new key leaves connections; another plan without API access, and the end of the account, end them', async () => {
  const assistant = open();
  const { browser, id } = await newBrowser();
  const kept = await assistant.connect(browser);
  await api.gateway.accounts.regenerateKey({ id });
  expect((await assistant.send(kept.access_token)).status).toBe(200);
  await api.gateway.accounts.changePlan({ id, plan: 'free' });
  expect((await assistant.send(kept.access_token)).status).toBe(403);
  expect((await assistant.refresh(kept.refresh_token, kept.clientId)).body.error).toBe('invalid_grant');
  await api.gateway.accounts.changePlan({ id, plan: 'unlimited' });
  expect((await assistant.send(kept.access_token)).status).toBe(401);

  const { browser: other, id: otherId } = await newBrowser();
  const ended = await assistant.connect(other);
  const pkce = createPkce();
  const code = await allow(other, assistant.ask(ended.clientId, pkce));
  await api.gateway.accounts.delete({ id: otherId });
  expect((await assistant.send(ended.access_token)).status).toBe(401);
  expect((await assistant.exchange(code, ended.clientId, pkce)).body.error).toBe('invalid_grant');
  expect((await assistant.refresh(ended.refresh_token, ended.clientId)).body.error).toBe('invalid_grant');
});

test('web pages of any site may call what needs no cookie', async () => {
  const headers = { origin: 'https://inspector.example', 'access-control-request-method': 'POST' };
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
    const preflight = await api.call('OPTIONS', path, { key: null, headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    expect((await api.call('GET', path, { key: null })).status).toBe(405);
  }
});
