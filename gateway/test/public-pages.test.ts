import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type BootedGateway, bootGateway } from './harness/boot-gateway.ts';

const bundle = '/docs/swagger-ui-bundle.js';
const document = '/api/v1/openapi.json';

let booted: BootedGateway;
let callers = 0;
beforeAll(async () => {
  booted = await bootGateway({ trustProxy: 1 });
});
afterAll(() => booted.stop());

/** One call with exactly these headers, by default from an address of its own. */
async function call(path: string, headers: Record<string, string> = {}, method = 'GET') {
  callers++;
  const sent = request(`${booted.url}${path}`, {
    method,
    headers: { 'x-forwarded-for': `10.1.0.${callers}`, ...headers },
  }).end();
  const [response] = (await new Promise((resolve, reject) => {
    sent.once('response', (answer) => resolve([answer])).once('error', reject);
  })) as [import('node:http').IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe.each([bundle, document, '/docs/swagger-ui.css', '/docs'])('%s', (path) => {
  test('has the same content in every form, each with a strong ETag and Vary', async () => {
    const plain = await call(path);
    const gzip = await call(path, { 'accept-encoding': 'gzip' });
    const br = await call(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-length']).toBe(String(plain.body.length));
    const isSmall = plain.body.length <= 1024;
    expect([gzip.headers['content-encoding'], br.headers['content-encoding']]).toEqual(
      isSmall ? [undefined, undefined] : ['gzip', 'br'],
    );
    if (isSmall) return;
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    const tags = [plain, gzip, br].map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(3);
    for (const { headers } of [plain, gzip, br]) {
      expect(headers.etag).toMatch(/^"[\w-]+"$/);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      expect(headers['x-request-id']).toBeDefined();
    }
  });

  test('is 304 without a body for its ETag, and 200 for another one', async () => {
    const accepted = { 'accept-encoding': 'br' };
    const { headers } = await call(path, accepted);
    const again = await call(path, { ...accepted, 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect(again.headers['content-encoding']).toBeUndefined();
    expect((await call(path, { ...accepted, 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const get = await call(path, { 'accept-encoding': 'gzip' });
    const head = await call(path, { 'accept-encoding': 'gzip' }, 'HEAD');
    for (const name of ['content-length', 'content-type', 'content-encoding', 'etag'])
      expect(head.headers[name]).toBe(get.headers[name]);
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });
});

test.each([
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['identity, gzip;q=0.1', undefined],
  ['*', 'br'],
  ['gzip;q=0', undefined],
  ['x-unknown', undefined],
  ['', undefined],
])('a client that accepts "%s" gets %s', async (accepted, coding) => {
  expect((await call(document, { 'accept-encoding': accepted })).headers['content-encoding']).toBe(coding);
});

test('an address may make 120 calls a minute for public pages; health pages and other addresses are not limited', async () => {
  const from = { 'x-forwarded-for': '10.2.0.1' };
  for (let count = 0; count < 120; count++) expect((await call('/', from)).status).toBe(302);
  const refused = await call('/docs', from);
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.body.toString())).toEqual({ error: expect.any(String), code: 'RATE_LIMITED' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(refused.headers['x-ratelimit-limit']).toBeUndefined();
  expect(refused.headers['cache-control']).toBe('no-store');
  for (const path of ['/healthz', '/readyz']) expect((await call(path, from)).status).toBe(200);
  expect((await call('/docs', { 'x-forwarded-for': '10.2.0.2' })).status).toBe(200);
});

test('no file is open while assets are sent, and none is left by a connection that closes', async () => {
  const socket = connect(booted.port, '127.0.0.1');
  socket.on('error', () => {});
  const headers = 'Host: x\r\nX-Forwarded-For: 10.3.0.1\r\n\r\n';
  socket.write(`GET ${bundle} HTTP/1.1\r\n${headers}`.repeat(16));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  expect(openFiles().filter((file) => file.includes('swagger'))).toEqual([]);
  socket.destroy();
});

/** The files that this process has open; none where the system does not tell. */
function openFiles(): string[] {
  try {
    return readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
