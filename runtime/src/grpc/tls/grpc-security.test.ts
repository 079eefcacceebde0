import { z } from 'zod';
import { createLogger } from '../../log/logger.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { createGrpcClient } from '../client/grpc-client.ts';
import { createGrpcServer } from '../server/grpc-server.ts';
import { type GrpcSecurity, grpcSettings } from './grpc-security.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
const secret = 'a'.repeat(32);
const allowed = { certificates: null, isInsecureAllowed: true, secret };
const withoutSecret = { ...allowed, secret: null };

const toServer = (security?: GrpcSecurity) =>
  createGrpcServer({ name: 'probe', logger, metrics: createMetrics(), security });
const toClient = (address: string, security?: GrpcSecurity) =>
  createGrpcClient({ service: {}, name: 'probe', address, security });

test.each(['0.0.0.0:0', '[::]:0', 'probe:0'])(
  'without certificates a server does not listen on %s',
  async (address) => {
    await expect(toServer().listen(address)).rejects.toThrow(
      `GRPC_ADDRESS ${address} accepts calls of other machines, without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true and GRPC_SECRET if the network is trusted.`,
    );
  },
);

test.each(['127.0.0.1:0', '[::1]:0', 'localhost:0'])(
  'without certificates a server listens on %s',
  async (address) => {
    const server = toServer();
    await server.listen(address);
    await server.drain(1000);
  },
);

test('a server listens on every address if that is allowed', async () => {
  const server = toServer(allowed);
  await server.listen('0.0.0.0:0');
  await server.drain(1000);
});

test.each(['10.0.0.1:1', 'probe:1', '127.0.0.1:1,10.0.0.1:1', '[fe80::1]:1'])(
  'without certificates no client calls %s, unless that is allowed',
  (address) => {
    expect(() => toClient(address)).toThrow(
      `The probe service at ${address} would be called without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true and GRPC_SECRET if the network is trusted.`,
    );
    toClient(address, allowed).close();
  },
);

test.each(['127.0.0.1:1', '127.1.2.3:1,127.0.0.1:2', '[::1]:1', 'localhost:1', 'unix:/run/probe.sock'])(
  'without certificates a client calls %s',
  (address) => toClient(address).close(),
);

test('off this machine plain connections need a secret, for servers and clients', async () => {
  await expect(toServer(withoutSecret).listen('0.0.0.0:0')).rejects.toThrow(
    'GRPC_ADDRESS 0.0.0.0:0 accepts calls of other machines, without certificates and without a secret. Set GRPC_SECRET to the same value for every process and command. It has 32 bytes or more.',
  );
  expect(() => toClient('probe:1', withoutSecret)).toThrow(
    'The probe service at probe:1 would be called without certificates and without a secret. Set GRPC_SECRET to the same value for every process and command. It has 32 bytes or more.',
  );
});

test('on this machine plain connections do without a secret', async () => {
  const server = toServer(withoutSecret);
  await server.listen('127.0.0.1:0');
  await server.drain(1000);
  toClient('127.0.0.1:1', withoutSecret).close();
});

test.each(['short', 'a'.repeat(31), ' '.repeat(40), `${'a'.repeat(40)} b`, 'ä'.repeat(40), 'a'.repeat(1025)])(
  'a secret must be long enough for its purpose and short enough for a header; the error does not have it: %s',
  (GrpcSecret) => {
    const result = z.object(grpcSettings).safeParse({ GRPC_SECRET: GrpcSecret });
    expect(result.success).toBe(false);
    expect(result.error?.message).toContain(
      'openssl rand -hex 32'.slice(0, GrpcSecret.length > 1024 ? 0 : 20),
    );
    expect(result.error?.message).not.toContain(GrpcSecret);
  },
);
