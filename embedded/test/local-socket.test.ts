import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isListening } from '../src/local-socket.ts';

const folder = mkdtempSync(join(tmpdir(), 'socket-'));
const path = join(folder, 'a.sock');
const servers: Server[] = [];

async function listen(): Promise<Server> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a socket is in use while a process listens on it', async () => {
  expect(await isListening(path)).toBe(false);
  await listen();
  expect(await isListening(path)).toBe(true);
});

test('a listener that closes before it accepts the connection does not use the socket', async () => {
  const server = await listen();
  const answer = isListening(path);
  server.close();
  expect(await answer).toBe(false);
});

test('another process that listens after the first closed uses the socket', async () => {
  const first = await listen();
  const answer = isListening(path);
  first.close();
  await listen();
  expect(await answer).toBe(true);
});
