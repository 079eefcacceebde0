import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { createRecordingLogger } from './recording-logger.ts';

// What holds on every transport is in transports.test.ts.

const newServer = () =>
  createGrpcServer({ name: 'probe', logger: createRecordingLogger().logger, metrics: createMetrics() });

test('a port in use is reported in one sentence that names the setting', async () => {
  const first = newServer();
  const address = await first.listen('127.0.0.1:0');
  expect(address).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
  await expect(newServer().listen(address)).rejects.toThrow(
    `${address} is in use. Set GRPC_ADDRESS to another one.`,
  );
  await first.drain(1000);
});

test('a socket that cannot be used is reported in one sentence that names it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-grpc-'));
  const address = `unix:${join(folder, 'probe.sock')}`;
  writeFileSync(join(folder, 'probe.sock'), '');
  await expect(newServer().listen(address)).rejects.toThrow(
    new RegExp(`^The socket ${address} cannot be used \\(.*EADDRINUSE.*\\)\\.$`),
  );
  rmSync(folder, { recursive: true });
});

test('a server without an address has no listening socket', async () => {
  const server = newServer();
  const before = process.getActiveResourcesInfo().length;
  expect(await server.listen(null)).toBe('');
  expect(process.getActiveResourcesInfo().length).toBe(before);
  await server.drain(1000);
});

test('a connection that sends nothing does not hold up the drain', async () => {
  const server = newServer();
  const address = await server.listen('127.0.0.1:0');
  const idle = connect(Number(address.split(':')[1]), '127.0.0.1');
  await once(idle, 'connect');
  await server.drain(300);
  expect(idle.closed).toBe(false);
  idle.destroy();
});
