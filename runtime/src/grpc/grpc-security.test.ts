import { createLogger } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import { createGrpcClient } from './grpc-client.ts';
import { createGrpcServer } from './grpc-server.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
const allowed = { certificates: null, isInsecureAllowed: true };

const toServer = (security?: typeof allowed) =>
  createGrpcServer({ name: 'probe', logger, metrics: createMetrics(), security });
const toClient = (address: string, security?: typeof allowed) =>
  createGrpcClient({ service: {}, name: 'probe', address, security });

test.each(['0.0.0.0:0', '[::]:0', 'probe:0'])(
  'without certificates a server does not listen on %s',
  async (address) => {
    await expect(toServer().listen(address)).rejects.toThrow(
      `GRPC_ADDRESS ${address} accepts calls of other machines, without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true if every caller in the network is trusted.`,
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
      `The probe service at ${address} would be called without encryption. Set GRPC_TLS_DIR, or GRPC_INSECURE=true if the network is trusted.`,
    );
    toClient(address, allowed).close();
  },
);

test.each(['127.0.0.1:1', '127.1.2.3:1,127.0.0.1:2', '[::1]:1', 'localhost:1', 'unix:/run/probe.sock'])(
  'without certificates a client calls %s',
  (address) => toClient(address).close(),
);
