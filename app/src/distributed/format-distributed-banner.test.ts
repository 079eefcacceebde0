import { distributedConfig } from '../config.ts';
import { formatDistributedBanner } from './format-distributed-banner.ts';
import { planProcesses } from './plan-processes.ts';

const secret = 'a'.repeat(32);
const settings = distributedConfig.parse({ MONGODB_URI: 'mongodb://user:secret@host' });
const secretsKey = 'b'.repeat(64);
const planned = planProcesses(
  { gateway: 2 },
  { secret, secretsKey, port: 8080, metricsPort: null, servicePort: 15_051 },
);

test('the account is created in the database of the services, whose password is not printed', () => {
  const banner = formatDistributedBanner({ planned, settings, hasInfra: false });
  expect(banner).toContain('http://localhost:8080, http://localhost:8081');
  expect(banner).toContain('in another shell, where MONGODB_URI is set, too:');
  expect(banner).not.toContain('user:secret');
});

test('the address of the database of --infra is part of the command', () => {
  const infra = { ...settings, MONGODB_URI: 'mongodb://127.0.0.1:27017' };
  expect(formatDistributedBanner({ planned, settings: infra, hasInfra: true })).toContain(
    'MONGODB_URI=mongodb://127.0.0.1:27017 npm run account -- create',
  );
});

test('a secret is not printed, only that it is missing', () => {
  const banner = (GrpcSecret?: string) =>
    formatDistributedBanner({ planned, settings: { ...settings, GRPC_SECRET: GrpcSecret }, hasInfra: false });
  expect(banner()).toContain('GRPC_SECRET is not set');
  expect(banner(secret)).not.toMatch(/GRPC_SECRET|aaaa/);
});

test('the file with the key of secrets is named, unless the key is a setting; the key is never printed', () => {
  const banner = (change: object) =>
    formatDistributedBanner({ planned, settings: { ...settings, ...change }, hasInfra: false });
  expect(banner({ SHELFWISE_DATA_DIR: '/data' })).toContain('the key of channels is in /data/secrets-key.');
  const set = banner({ SECRETS_KEY: [Buffer.from(secretsKey, 'hex')] });
  expect(set).not.toMatch(/secrets-key|SECRETS_KEY|bbbb/);
});
