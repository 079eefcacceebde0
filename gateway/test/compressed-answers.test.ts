import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { compressAnswers } from '../src/middleware/compress-answers.ts';
import { chartCategoriesReply } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

/** `fetch` decompresses by itself and hides what was sent. */
async function call(url: string, headers: Record<string, string>, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers }, resolve).once('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** A call whose answer has more than 1 KB, or less. */
function listCategories(accepted: string, count = 100) {
  const categories = Array.from({ length: count }, (_, index) => ({
    key: `${index}`,
    label: `Category ${index}`,
  }));
  api.chart.answer({
    listChartCategories: async () =>
      ({ stores: [{ ...chartCategoriesReply.stores[0], store: 'ITUNES', categories }] }) as never,
  });
  api.clock.advance(1020);
  const headers = { 'x-api-key': api.key, 'accept-encoding': accepted };
  return call(`${api.url}/api/v1/top-charts/categories`, headers);
}

test('an answer of the API over 1 KB is compressed as the client accepts it, with its length', async () => {
  const plain = await listCategories('');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const gzip = await listCategories('gzip, deflate');
  const br = await listCategories('gzip, deflate, br');
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  expect([gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br']);
  for (const { headers, body } of [plain, gzip, br]) {
    expect(headers['content-length']).toBe(String(body.length));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers.vary).toBe('Accept, Accept-Encoding');
  }
  expect(br.body.length).toBeLessThan(plain.body.length / 2);
});

test('a small answer and an error are not compressed', async () => {
  const small = await listCategories('gzip, br', 3);
  expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined]);
  const error = await call(`${api.url}/api/v1/applications`, { 'accept-encoding': 'gzip, br' });
  expect([error.status, error.headers['content-encoding']]).toEqual([401, undefined]);
  expect(JSON.parse(error.body.toString())).toMatchObject({ code: 'MISSING_API_KEY' });
});

describe('answers of other kinds', () => {
  const text = 'x'.repeat(5000);
  const app = express();
  app.use(compressAnswers);
  app.get('/json', (_request, response) => void response.json({ text }));
  app.get('/no-transform', (_request, response) => {
    response.set('Cache-Control', 'no-store, no-transform').json({ text });
  });
  app.get('/events', (_request, response) => {
    response.type('text/event-stream');
    response.write('data: first\n\n');
    response.end(`data: ${text}\n\n`);
  });
  app.get('/whole-events', (_request, response) => void response.type('text/event-stream').send(text));
  const server = app.listen(0, '127.0.0.1');
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const get = (path: string, method?: string) =>
    call(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
      { 'accept-encoding': 'gzip, br' },
      method,
    );

  test.each(['/events', '/whole-events', '/no-transform'])('%s is never compressed', async (path) => {
    const { headers, body } = await get(path);
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toContain(text);
  });

  test('HEAD has the length of the compressed answer and no body', async () => {
    const head = await get('/json', 'HEAD');
    const { headers } = await get('/json');
    expect(head.headers['content-length']).toBe(headers['content-length']);
    expect(head.headers['content-encoding']).toBe('br');
    expect(head.body).toHaveLength(0);
  });
});
