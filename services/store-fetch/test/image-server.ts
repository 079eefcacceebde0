import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawIcon } from '../src/sources/sample/draw-icon.ts';

export const png = drawIcon(1);

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const send =
  (status: number, headers: Record<string, string>, body: Buffer | string = ''): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** What an image server can answer, well and badly. */
export const imageAnswers = {
  ok: send(200, { 'content-type': 'application/octet-stream' }, png),
  html: send(200, { 'content-type': 'image/png' }, '<!doctype html><script>alert(1)</script>'),
  svg: send(200, { 'content-type': 'image/svg+xml' }, '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  redirect: send(302, { location: '/elsewhere' }),
  missing: send(404, {}),
  refused: send(403, {}),
  empty: send(200, { 'content-type': 'image/png' }),
  /** the largest that is passed on */
  full: send(
    200,
    { 'content-type': 'image/png' },
    Buffer.concat([png, Buffer.alloc(64 * 1024 - png.length)]),
  ),
  tooLarge: send(200, { 'content-type': 'image/png' }, Buffer.concat([png, Buffer.alloc(64 * 1024)])),
  /** an image that never ends */
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(png);
    const timer = setInterval(() => response.write(Buffer.alloc(16 * 1024)), 1);
    response.on('close', () => clearInterval(timer));
  },
  /** no answer */
  slow: () => {},
} satisfies Record<string, Answer>;

/** An image server on this machine for the tests of one file. Each test starts with good answers and without calls. */
export function useImageServer() {
  const state = { answer: 'ok' as keyof typeof imageAnswers, calls: [] as string[], url: '' };
  const server = createServer((request, response) => {
    state.calls.push(request.url ?? '');
    imageAnswers[state.answer](response, request);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    state.answer = 'ok';
    state.calls = [];
  });
  afterAll(async () => {
    const closed = once(server, 'close');
    server.close().closeAllConnections();
    await closed;
  });
  return state;
}
