import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { until } from '../../testing/until.ts';
import { createHttpServer } from '../src/http/http-server.ts';

/** The time limits of the server, and how often they are checked, in ms. */
const limits = {
  headersTimeout: 100,
  requestTimeout: 150,
  keepAliveTimeout: 50,
  connectionsCheckingInterval: 20,
};
/** As many checks as the longest limit has, and more. */
const checksOfAnswer = 10;
let checks = 0;

const app = express();
app.get('/slow', async (_request, response) => {
  const before = checks;
  await until(() => checks - before > checksOfAnswer);
  response.json({ data: 'done' });
});
const server = createHttpServer(app, {
  nodeVersion: process.versions.node,
  maxConnections: 10,
  // Every check of the limits reads the clock once.
  monotonicMs: () => ++checks,
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
  const sent = request({ port, path: '/slow' }).end();
  const [response] = await once(sent, 'response');
  expect(response.statusCode).toBe(200);
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
    monotonicMs: () => 0,
    onConnectionEnded: () => {},
  }) as Server & { connectionsCheckingInterval: number };
  expect([headersTimeout, requestTimeout, connectionsCheckingInterval]).toEqual([10_000, 30_000, 1000]);
});
