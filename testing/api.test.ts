import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApi } from './system/api.ts';

let server: Server;
let url: string;
/** What the next calls are answered; the last one stays. */
let answers: { status: number; code?: string }[];
let calls: number;

beforeAll(async () => {
  server = createServer((_request, response) => {
    const { status, code } = answers[Math.min(calls++, answers.length - 1)] as (typeof answers)[0];
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ code }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  calls = 0;
});

const late = { status: 503, code: 'SERVICE_UNAVAILABLE' };
const limited = { status: 429, code: 'RATE_LIMITED' };

test('a rate-limited call is repeated, and a late answer is returned', async () => {
  answers = [limited, limited, late, { status: 200 }];
  expect(await createApi(url, 'key')('GET', '/account/usage')).toMatchObject({ status: 503 });
  expect(calls).toBe(3);
});

test('a patient caller asks again for a late answer, but not for another failure', async () => {
  answers = [late, limited, late, { status: 500 }, { status: 200 }];
  const patient = createApi(url, 'key', { isPatient: true });
  expect(await patient('GET', '/account/usage')).toMatchObject({ status: 500 });
  expect(calls).toBe(4);
});

test('a patient caller gives up a service that never answers', async () => {
  answers = [late];
  const patient = createApi(url, 'key', { isPatient: true });
  expect(await patient('GET', '/account/usage')).toMatchObject({ status: 503 });
  expect(calls).toBe(10);
});
