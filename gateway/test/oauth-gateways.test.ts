import { randomUUID } from 'node:crypto';
import { allow, createPkce, echoEndpoint, openAssistant, publicUrl, signedIn } from './harness/assistant.ts';
import { type BootedGateway, bootGateway } from './harness/boot-gateway.ts';
import { createSender } from './harness/send-request.ts';
import type { ApiAnswer, ApiRequest } from './harness/use-gateway.ts';

const sender = createSender();
let gateways: [BootedGateway, BootedGateway];
let at = Date.parse('2026-06-15T12:00:00Z');
const clocks = { now: () => new Date(at), monotonicMs: () => at };
const options = {
  ...clocks,
  isDatabaseEmbedded: false,
  mcp: echoEndpoint,
  dashboard: { publicUrl },
  trustProxy: 1,
} as const;

beforeAll(async () => {
  const one = await bootGateway(options);
  gateways = [one, await bootGateway({ ...options, connection: one.connection })];
});
afterAll(async () => {
  sender.close();
  for (const gateway of [...gateways].reverse()) await gateway.stop();
});

/** Calls of one of the gateways. */
const callsOf = ({ url }: BootedGateway) => ({
  async call(method: string, path: string, { key = null, body, raw, headers = {} }: ApiRequest = {}) {
    at += 1020;
    const json = body === undefined ? (raw ?? null) : JSON.stringify(body);
    const sent: Record<string, string> = { ...headers };
    if (body !== undefined) sent['content-type'] = 'application/json';
    if (key !== null) sent['x-api-key'] = key;
    const { text, ...answer } = await sender.send(`${url}${path}`, { method, headers: sent, body: json });
    return { ...answer, body: text.startsWith('{') ? JSON.parse(text) : text };
  },
});

async function start() {
  const [one, other] = gateways;
  const apis = [callsOf(one), callsOf(other)] as const;
  const account = await one.gateway.accounts.create({
    email: `${randomUUID()}@example.com`,
    plan: 'unlimited',
  });
  const browser = await signedIn(apis[0], account.key);
  return { ...account, apis, browser, here: openAssistant(apis[0]), there: openAssistant(apis[1]) };
}

test('each step of the flow may be answered by another gateway', async () => {
  const { here, there, browser, apis } = await start();
  const clientId = (await there.register()).body.client_id;
  const pkce = createPkce();
  const code = await allow(browser, here.ask(clientId, pkce));
  const { body: tokens } = await there.exchange(code, clientId, pkce);
  expect((await here.exchange(code, clientId, createPkce())).status).toBe(400);
  expect((await here.send(tokens.access_token)).status).toBe(200);
  const { body: next } = await here.refresh(tokens.refresh_token, clientId);
  expect((await there.send(next.access_token)).status).toBe(200);

  // The assistant server may call any of them with what one of them gave it.
  const message = { method: 'tools/call', params: { name: 'get_account_usage' } };
  const { key } = (await here.send(tokens.access_token, message)).body;
  for (const gateway of gateways)
    gateway.services.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
  const headers = { 'x-request-id': 'my-request' };
  const call = (of: 0 | 1) => apis[of].call('GET', '/api/v1/account/usage', { key, headers });
  expect((await call(1)).status).toBe(200);
  expect((await call(0)).status).toBe(401);
});

test('of uses at both gateways at the same time one gets tokens at most, and these do not work', async () => {
  const { browser, apis } = await start();
  const here = openAssistant(apis[0], { from: '10.9.1.1' });
  const there = openAssistant(apis[1], { from: '10.9.1.1' });
  const clients = [here, there];
  const areDead = async (answers: readonly ApiAnswer[]) => {
    const issued = answers.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
    for (const { body } of issued)
      for (const client of clients) expect((await client.send(body.access_token)).status).toBe(401);
  };
  const clientId = (await here.register()).body.client_id;
  const pkce = createPkce();
  const code = await allow(browser, here.ask(clientId, pkce));
  await areDead(
    await Promise.all([...clients, ...clients].map((client) => client.exchange(code, clientId, pkce))),
  );
  const { refresh_token: token } = await here.connect(browser, { clientId });
  await areDead(await Promise.all(clients.map((client) => client.refresh(token, clientId))));
});

test.each([
  [
    'its client',
    (state: Awaited<ReturnType<typeof start>>, token: string, clientId: string) =>
      state.here.revoke(token, clientId),
  ],
  [
    'the page of its account',
    ({ browser }: Awaited<ReturnType<typeof start>>) => browser.send('DELETE', '/connections'),
  ],
  [
    'the deletion of its account',
    ({ id }: Awaited<ReturnType<typeof start>>) => gateways[0].gateway.accounts.delete({ id }),
  ],
])('a connection that %s ends at one gateway has ended at the other within a second', async (_, end) => {
  const state = await start();
  const { access_token: token, clientId } = await state.here.connect(state.browser);
  // Each has cached it.
  expect((await state.there.send(token)).status).toBe(200);
  expect((await state.here.send(token)).status).toBe(200);
  await end(state, token, clientId);
  expect((await state.here.send(token)).status).toBe(401);
  at += 1000;
  expect((await state.there.send(token)).status).toBe(401);
});

test('a token that is cached costs no query; the changes of accounts are read once a second', async () => {
  const { here, browser } = await start();
  const { access_token: token } = await here.connect(browser);
  const [{ connection }] = gateways;
  const find = jest.spyOn(connection.collection('oauth_tokens'), 'find');
  at += 10 * 60_000;
  await here.send(token);
  const asked = find.mock.calls.length;
  for (let call = 0; call < 5; call++) await here.send(token);
  expect(find.mock.calls.length).toBe(asked);
  find.mockRestore();
});
