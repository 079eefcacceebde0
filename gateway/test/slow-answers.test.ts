import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { createHttpServer } from '../src/http/http-server.ts';

/** The time limits of the server, each shorter than `answerMs`, and how often Node checks them. */
const limits = {
  headersTimeout: 100,
  requestTimeout: 150,
  keepAliveTimeout: 50,
  connectionsCheckingInterval: 20,
};
const answerMs = 500;

const app = express();
app.get('/slow', (_request, response) => {
  setTimeout(() => response.json({ data: 'done' }), answerMs);
});
const server = createHttpServer(app, {
  nodeVersion: process.versions.node,
  maxConnections: 10,
  monotonicMs: () => performance.now(),
  onConnectionEnded: () => {},
  limits,
});
let port: number;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('an answer may take longer than every time limit of the server: only its route limits it', async () => {
  const startedMs = performance.now();
  const sent = request({ port, path: '/slow' }).end();
  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(200);
  expect(performance.now() - startedMs).toBeGreaterThan(answerMs - 50);
  await once(response.resume(), 'end');
});

test('a request that does not arrive in time is answered with the reason, and its connection is closed', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: here\r\n');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1.1 400 [\s\S]*did not arrive in time/);
});

test('the product checks its time limits every second, so that they hold', () => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = createHttpServer(app, {
    nodeVersion: process.versions.node,
    maxConnections: 10,
    monotonicMs: () => performance.now(),
    onConnectionEnded: () => {},
  }) as Server & { connectionsCheckingInterval: number };
  expect([headersTimeout, requestTimeout, connectionsCheckingInterval]).toEqual([10_000, 30_000, 1000]);
});
