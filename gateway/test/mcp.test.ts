import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { until } from '../../testing/until.ts';
import { forwardMcp } from '../src/mcp/forward-mcp.ts';
import type { McpEndpoint } from '../src/mcp/mcp-endpoint.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';
import { useGateway } from './harness/use-gateway.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: unknown) => unknown;
const echo: Answer = ({ headers, url }, response, body) =>
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ key: headers['x-api-key'], url, body, length: headers['content-length'] }));

/** The assistant server behind the gateway. */
let answer: Answer = echo;
const assistants = createServer(async (incoming, response) => {
  answer(incoming, response, incoming.method === 'POST' ? await json(incoming) : undefined);
});
const { logger } = createRecordingLogger();
let forward: McpEndpoint;
const api = useGateway({
  mcp: {
    endpoint: { serve: (incoming, response, read) => forward.serve(incoming, response, read) },
    hosts: ['localhost', 'aso.example'],
  },
});

beforeAll(async () => {
  await once(assistants.listen(0, '127.0.0.1'), 'listening');
  forward = forwardMcp(`http://127.0.0.1:${(assistants.address() as AddressInfo).port}`, logger);
});
beforeEach(() => {
  answer = echo;
});
afterAll(() => {
  assistants.closeAllConnections();
  assistants.close();
});

const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const post = (options: Parameters<typeof api.call>[2] = {}, query = '') =>
  api.call('POST', `/mcp${query}`, { withoutPause: true, body: message, ...options });

/** A call with headers that `fetch` sets by itself. */
function callAs(headers: Record<string, string>): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { 'x-api-key': api.key, 'content-type': 'application/json', ...headers },
    };
    request(`${api.url}/mcp`, options, async (response) => {
      resolve({ status: response.statusCode, body: await json(response) });
    })
      .once('error', reject)
      .end(JSON.stringify(message));
  });
}

test('a request is forwarded with its body, and with its key in a header only', async () => {
  const expected = {
    key: api.key,
    url: '/mcp',
    body: message,
    length: String(JSON.stringify(message).length),
  };
  expect(await post()).toMatchObject({ status: 200, body: expected });
  const bearer = { Authorization: `Bearer ${api.key}` };
  expect(await post({ key: null, headers: bearer })).toMatchObject({ status: 200, body: expected });
  expect(await post({ key: null }, `?api_key=${api.key}`)).toMatchObject({ status: 200, body: expected });
});

test('it needs a key whose plan has API access, like every call', async () => {
  expect(await post({ key: null })).toMatchObject({ status: 401, body: { code: 'MISSING_API_KEY' } });
  expect(await post({ key: 'sw_live_wrong' })).toMatchObject({ status: 401 });
  const { key } = await api.createKey('free');
  expect(await post({ key })).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
});

test.each([
  ['in pieces', { 'transfer-encoding': 'chunked' }],
  ['after asking whether to send it', { expect: '100-continue' }],
])('a body that comes %s is forwarded whole', async (_, headers) => {
  const { status, body } = await callAs({ authorization: `Bearer ${api.key}`, 'x-api-key': '', ...headers });
  expect({ status, body }).toMatchObject({ status: 200, body: { key: api.key, body: message } });
});

test.each([null, 0, false, ''])('the body %j is forwarded as it is', async (body) => {
  expect(await post({ body })).toMatchObject({
    status: 200,
    body: { body, length: String(JSON.stringify(body).length) },
  });
});

test('the assistant server gets the id of the request, and neither cookies nor the other headers of the key', async () => {
  answer = ({ headers }, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(headers));
  const headers = { Authorization: `Bearer ${api.key}`, cookie: 'a=b', 'x-request-id': 'my-id' };
  const { body } = await post({ key: null, headers });
  expect(body).toMatchObject({ 'x-request-id': 'my-id', 'x-forwarded-for': expect.stringMatching(/127/) });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['authorization']));
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['cookie']));
});

test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE'])('%s is 405', async (method) => {
  const { status, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${api.url}/mcp`, { method, headers: { 'x-api-key': api.key } }, resolve)
      .once('error', reject)
      .end();
  }).then((response) => ({ status: response.resume().statusCode, headers: response.headers }));
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
});

test('a web page of another site, or of a name that points here, is refused', async () => {
  for (const allowed of ['localhost', 'localhost:8080', 'ASO.example', '127.0.0.1:1', '[::1]:8080'])
    expect((await callAs({ host: allowed })).status).toBe(200);
  for (const host of ['evil.example', 'aso.example.evil.example', 'a b'])
    expect({ host, status: (await callAs({ host })).status }).toEqual({ host, status: 403 });
  for (const origin of ['http://localhost:3000', 'https://aso.example', api.url])
    expect((await callAs({ origin })).status).toBe(200);
  for (const origin of [
    'https://evil.example',
    'http://203.0.113.7',
    'null',
    'file://',
    'chrome-extension://abc',
  ])
    expect(await callAs({ origin })).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringMatching(/adds its host name to MCP_HOSTS/) } },
    });
});

test('a body is JSON and has at most 256 KiB', async () => {
  const { status, body } = await post({
    raw: '{',
    headers: { 'content-type': 'application/json' },
    body: undefined,
  });
  expect({ status, body }).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error: { code: -32_000 } } });
  const bodyOf = (bytes: number) => {
    const empty = JSON.stringify({ ...message, params: { x: '' } });
    return { ...message, params: { x: 'x'.repeat(bytes - empty.length) } };
  };
  expect((await post({ body: bodyOf(262_144) })).status).toBe(200);
  expect((await post({ body: bodyOf(262_145) })).status).toBe(413);
});

test.each([
  ['a list', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['an id', `{"jsonrpc":"2.0","method":"ping","id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('%s that is nested deeply is refused', async (_, raw) => {
  const headers = { 'content-type': 'application/json' };
  expect(await post({ raw, headers, body: undefined })).toMatchObject({
    status: 400,
    body: { error: { message: 'The body is nested more than 64 levels deep.' } },
  });
});

test('it counts in no rate window and spends no quota', async () => {
  const { key } = await api.createKey();
  api.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
  for (let call = 0; call < 70; call++) expect((await post({ key })).status).toBe(200);
  const usage = await api.call('GET', '/api/v1/account/usage', { key });
  expect(usage.body.data.usage.api_requests).toBe(0);
});

test('a flood of one account is refused, and another account is not', async () => {
  const { key } = await api.createKey();
  const statuses: number[] = [];
  for (let round = 0; round < 7; round++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => post({ key })))).map(({ status }) => status),
    );
  expect(statuses.filter((status) => status === 200)).toHaveLength(300);
  const refused = await post({ key });
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { message: expect.stringMatching(/300 requests a minute/) } },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await post()).status).toBe(200);
});

test('at most 80 requests of an account are in progress', async () => {
  const { key } = await api.createKey();
  const held: ServerResponse[] = [];
  answer = (_request, response) => held.push(response);
  const calls = Array.from({ length: 80 }, () => post({ key }));
  await until(() => held.length === 80);
  expect(await post({ key })).toMatchObject({
    status: 503,
    body: { error: { message: expect.stringMatching(/80 requests/) } },
  });
  for (const response of held) response.end('{}');
  await Promise.all(calls);
  answer = echo;
  expect((await post({ key })).status).toBe(200);
});

test('events pass as they come, uncompressed', async () => {
  const events = Array.from({ length: 3 }, (_, index) => `data: ${index}${'x'.repeat(2000)}\n\n`);
  const received: string[] = [];
  let hasHeaders = false;
  answer = async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    await until(() => hasHeaders);
    for (const [index, event] of events.entries()) {
      response.write(event);
      // The next one follows when this one has arrived.
      await until(() => received.join('').length >= events.slice(0, index + 1).join('').length);
    }
    response.end();
  };
  const headers = { 'x-api-key': api.key, 'content-type': 'application/json', 'accept-encoding': 'br, gzip' };
  const response = await fetch(`${api.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
  hasHeaders = true;
  expect(response.headers.get('content-encoding')).toBeNull();
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) received.push(decoder.decode(chunk));
  expect(received.join('')).toBe(events.join(''));
});

test('a client that disconnects ends the request behind the gateway', async () => {
  let isReached = false;
  const gone = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      isReached = true;
      response.once('close', resolve);
    };
  });
  const client = new AbortController();
  const call = fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: client.signal,
  }).catch(() => {});
  await until(() => isReached);
  client.abort();
  await Promise.all([call, gone]);
});

test('an answer whose assistant server dies ends, so that its client does not wait for the rest', async () => {
  let die = () => {};
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    die = () => void response.destroy();
  };
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  die();
  expect(await response.text().catch(() => 'data: 1\n\n')).toBe('data: 1\n\n');
});

test('an assistant server that is away is a 503 with the time to wait', async () => {
  const working = forward;
  forward = forwardMcp('http://127.0.0.1:9', logger);
  try {
    const { status, headers, body } = await post();
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringMatching(/cannot be reached/) } },
    });
    expect(headers.get('retry-after')).toBe('5');
  } finally {
    forward = working;
  }
});

test.each(['%', 'a/%ff'])('/.well-known/%s is no failure of ours', async (path) => {
  for (const method of ['GET', 'POST'])
    expect((await api.call(method, `/.well-known/${path}`, { key: null })).status).toBe(400);
});

test('clients that look for an OAuth server find a plain 404 without a key', async () => {
  for (const path of [
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
  ]) {
    const { status, headers } = await api.call('GET', `/.well-known/${path}`, { key: null });
    expect({ status, challenge: headers.get('www-authenticate') }).toEqual({ status: 404, challenge: null });
  }
});
