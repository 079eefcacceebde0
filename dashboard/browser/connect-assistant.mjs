// Journey of an assistant that knows only the address: a client of the protocol's SDK with its OAuth provider, and the person in front of
// the browser. Prints each step with its time. Then pages of another site, which try the same without the person.
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createNewcomer } from '../../scripts/newcomer.mjs';
import { has, texts } from './language.mjs';
import { check, demoKeyOf, lookAtPages, openPage } from './tools.mjs';

/** A site on this machine, which is not that of the dashboard: where the assistant is, and where attacks come from. */
async function openSite() {
  const pages = new Map();
  const server = createServer(({ url }, response) => {
    const page =
      pages.get(new URL(url, 'http://site').pathname) ?? '<!doctype html><title>back</title><h1>Back</h1>';
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${server.address().port}`, pages, close: () => server.close() };
}

/** What the client keeps. The browser is opened by the journey. */
function createProvider(redirectUrl, name) {
  const kept = {};
  return {
    kept,
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    state: () => 'a state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => Object.assign(kept, { tokens }),
    redirectToAuthorization: (address) => Object.assign(kept, { address }),
    saveCodeVerifier: (verifier) => Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (discovered) => Object.assign(kept, { discovered }),
    discoveryState: () => kept.discovered,
    invalidateCredentials: (what) => Object.assign(kept, what === 'tokens' ? { tokens: undefined } : {}),
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => {
    server.listen(0, resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

export async function onAssistants(browser, { folder }) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const newcomer = createNewcomer({ SAMPLE_DAY: '2026-11-25', PORT: String(port), PUBLIC_URL: url });
  const site = await openSite();
  try {
    await newcomer.start();
    const key = demoKeyOf(newcomer);
    const opened = await openPage(browser, url);
    const { page, context, problems } = opened;
    const first = await connect(page, { url, site, key, name: 'Journey' });
    await useTools(first, page, url);
    await declineAndReadOnly(page, { url, site });
    await fromOtherSites(page, { url, site });
    const asked = await askAs('<b>Bold</b> & "quoted"', { url, site });
    await page.goto(asked.href);
    const name = await page.textContent('strong bdi');
    check(name === '<b>Bold</b> & "quoted"', 'markup in a name is shown as text');
    const storageState = await context.storageState();
    const pages = { connect: asked.href.slice(url.length), account: '/dashboard/account' };
    await lookAtPages(browser, url, { pages, storageState, folder });
    // The assistant's own pages are elsewhere, and the browser notes what it refuses to another site.
    const unexpected = problems.filter(
      (problem) => !problem.includes(site.url) && !/frame|403|429|ERR_FAILED/i.test(problem),
    );
    check(unexpected.length === 0, `no violation, no error: ${unexpected.join('; ')}`);
  } finally {
    site.close();
    await newcomer.stopAll();
  }
}

/** Where the client sends the browser. */
async function begin(provider, url) {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  await new Client({ name: 'journey', version: '1.0.0' }).connect(transport).catch(() => {});
  return { transport, address: provider.kept.address };
}

async function askAs(name, { url, site }) {
  const { address } = await begin(createProvider(`${site.url}/callback`, name), url);
  return address;
}

/** The whole flow of a person who is not signed in yet. */
async function connect(page, { url, site, key, name }) {
  const startedAt = performance.now();
  const say = (step) => console.log(`${Math.round(performance.now() - startedAt)} ms: ${step}`);
  const provider = createProvider(`${site.url}/callback`, name);
  const { transport, address } = await begin(provider, url);
  say('401, both documents and the registration are read');
  await page.goto(address.href);
  await page.fill('#key', key);
  await page.press('#key', 'Enter');
  await page.waitForSelector('dl');
  say('the person has signed in on the page of the request');
  check((await page.textContent('strong bdi')) === name, 'the page says what the assistant calls itself');
  check((await page.textContent('dd bdi')) === new URL(site.url).host, 'and where the person is sent');
  const allow = page.locator(`button${has(texts.connect.allow)}`);
  check(await allow.isDisabled(), 'the button waits a moment before it can be pressed');
  await allow.click();
  await page.waitForURL(`${site.url}/callback?**`);
  say('allowed: the browser is back at the assistant, with a code');
  const returned = new URL(page.url());
  check(returned.searchParams.get('iss') === url, 'the answer names its issuer');
  check(
    (await page.evaluate(() => document.referrer)) === '',
    'the assistant is told no address of the dashboard',
  );
  await transport.finishAuth(returned.searchParams);
  say('the code is exchanged for tokens');
  const client = new Client({ name: 'journey', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider }));
  const { tools } = await client.listTools();
  say(`${tools.length} tools are listed`);
  const { isError } = await client.callTool({ name: 'get_account_usage', arguments: {} });
  check(!isError, 'a tool works');
  say('a tool has been called');
  return { client, provider };
}

/** The account page shows the connection and ends it. */
async function useTools({ client }, page, url) {
  await page.goto(`${url}/dashboard/account`);
  const end = page.locator(`button${has(texts.account.endConnection)}`);
  check((await end.count()) === 1, 'the account page shows the connection');
  await end.click();
  await end.waitFor({ state: 'detached' });
  await new Promise((resolve) => {
    setTimeout(resolve, 1000);
  });
  const failed = await client.callTool({ name: 'get_account_usage', arguments: {} }).then(
    () => false,
    () => true,
  );
  check(failed, 'a connection that is ended there works no more');
  await client.close();
}

async function declineAndReadOnly(page, { url, site }) {
  const declined = await askAs('Declined', { url, site });
  await page.goto(declined.href);
  await page.click(`a${has(texts.connect.decline)}`);
  await page.waitForURL(`${site.url}/callback?**`);
  check(
    new URL(page.url()).searchParams.get('error') === 'access_denied',
    'declined: the assistant is told so',
  );

  const provider = createProvider(`${site.url}/callback`, 'Reader');
  const { transport, address } = await begin(provider, url);
  await page.goto(address.href);
  await page.uncheck('input[type=checkbox]');
  await page.click(`button${has(texts.connect.allow)}`);
  await page.waitForURL(`${site.url}/callback?**`);
  await transport.finishAuth(new URL(page.url()).searchParams);
  check(provider.kept.tokens.scope === 'read', 'a person can allow less than is asked for');
  await page.goBack();
}

/** Pages of another site, in the browser of a person who is signed in. */
async function fromOtherSites(page, { url, site }) {
  const address = await askAs('Evil', { url, site });
  const consent = JSON.stringify({ query: address.search.slice(1), can_write: true });
  site.pages.set(
    '/frame',
    `<!doctype html><title>frame</title><iframe src="${address.href.replaceAll('&', '&amp;')}"></iframe>`,
  );
  site.pages.set(
    '/form',
    `<!doctype html><title>form</title><form method="post" enctype="text/plain" action="${url}/dashboard/connect"><input name='${consent.slice(0, -1)},"x":"' value='"}'></form><button onclick="document.forms[0].submit()">go</button>`,
  );
  await page.goto(`${site.url}/frame`);
  const [, frame] = page.frames();
  const isEmpty = await frame
    .locator('button')
    .count()
    .catch(() => 0);
  check(isEmpty === 0, 'no other site has the page in a frame');
  await page.goto(`${site.url}/form`);
  await page.click('button');
  await page.waitForURL(`${url}/dashboard/connect`);
  const answer = await page.textContent('body');
  check(answer.includes('FOREIGN_PAGE'), 'a form of another site allows nothing');
  await page.goto(`${site.url}/frame`);
  const sent = await page.evaluate(
    ([target, body]) =>
      fetch(target, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json', 'x-shelfwise-page': '1' },
        body,
      }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    [`${url}/dashboard/connect`, consent],
  );
  check(sent === 'refused', 'nor does a script of one');
}
