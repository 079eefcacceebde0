import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

/** Sends the bytes unchanged and returns everything that the server sends back. */
function send(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

test.each([
  ['a request that is not HTTP', 'hello\r\n\r\n', 'not a valid HTTP request'],
  ['headers of 20 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 'too large'],
  [
    'a request with 101 headers',
    `GET /healthz HTTP/1.1\r\n${'A: b\r\n'.repeat(101)}\r\n`,
    'at most 100 headers',
  ],
  ['a request without Host', 'GET /healthz HTTP/1.1\r\n\r\n', 'Host'],
  ['a request with two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 'one Host'],
  ['a request with two Hosts', 'GET /healthz HTTP/1.1\r\nHOST: x\r\nA: b\r\nhost: y\r\n\r\n', 'one Host'],
  ['an HTTP/1.0 request with two Hosts', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 'one Host'],
  ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n', 'Expect'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 'not a proxy'],
])('%s is answered with the envelope and ends the connection', async (_what, bytes, sentence) => {
  const answer = await send(bytes);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('HTTP/1.1 400 Bad Request');
  expect(head).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
  expect(JSON.parse(body)).toEqual({ error: expect.stringContaining(sentence), code: 'INVALID_PARAMS' });
});

test.each(['http://', '*', 'http://[/', 'http://xn--/', 'http://a:b:c/', 'ftp://host/healthz'])(
  'a request target without a path, such as %s, is answered with the envelope',
  async (target) => {
    const answer = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 400 Bad Request');
    expect(head).toContain('Content-Type: application/json');
    expect(head).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('target'), code: 'INVALID_PARAMS' });
  },
);

test.each(['//x', '//a:b@[::1/x#y', '/x://[y#z', '/a\\b', '/%zz', '//[#x', 'http://host/nowhere'])(
  'a strange path, such as %s, is answered like any unknown path',
  async (target) => {
    const answer = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 401');
    expect(head).toMatch(/X-Request-Id: [0-9a-f-]{36}/i);
    expect(JSON.parse(body)).toMatchObject({ code: 'MISSING_API_KEY' });
  },
);

test('a target in absolute form, as proxies send it, means its path', async () => {
  const answer = await send('GET http://here/healthz?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(answer).toContain('{"status":"alive"}');
});

test('a request may have 100 headers', async () => {
  const headers = `Host: x\r\nConnection: close\r\n${'A: b\r\n'.repeat(98)}`;
  expect(await send(`GET /healthz HTTP/1.1\r\n${headers}\r\n`)).toContain('{"status":"alive"}');
});

test('an HTTP/1.0 request needs no Host', async () => {
  expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toContain('{"status":"alive"}');
});

test('a client that requests a tunnel and disconnects does not affect other clients', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', () => socket.resetAndDestroy());
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await api.call('GET', '/healthz')).status).toBe(200);
});

test.each(['18.20.0', '20.20.2', '24.0.0'])(
  'requests get the same answers on Node %s',
  async (nodeVersion) => {
    const { createHttpServer } = await import('../src/http/http-server.ts');
    const express = (await import('express')).default;
    const app = express();
    app.get('/echo', (request, response) => void response.json({ q: request.query.q, ip: request.ip }));
    const server = createHttpServer(app, {
      nodeVersion,
      maxConnections: 10,
      monotonicMs: () => 0,
      onConnectionEnded: () => {},
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/echo?q=1`);
    expect(await response.json()).toEqual({ q: '1', ip: '127.0.0.1' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
);
