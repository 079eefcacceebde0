import { join } from 'node:path';
import type { DistributedSettings } from '../config.ts';
import { secretsKeyFile } from '../start/ensure-secrets-key.ts';
import type { PlannedProcess } from './plan-processes.ts';

/** What is printed when all processes listen: the addresses of the gateways, and how to create an account. */
export function formatDistributedBanner({
  planned,
  settings,
  hasInfra,
}: {
  planned: readonly PlannedProcess[];
  settings: DistributedSettings;
  hasInfra: boolean;
}): string {
  const urls = planned
    .filter(({ part }) => part === 'gateway')
    .map(({ settings: { PORT } }) => `http://localhost:${PORT}`);
  const missing = [
    ...(settings.KAFKA_BROKERS === undefined
      ? ['KAFKA_BROKERS is not set: no scores and no alerts arrive, because events stay in the database.']
      : []),
    ...(settings.REDIS_URL === undefined
      ? ['REDIS_URL is not set: every gateway counts the calls of a minute by itself.']
      : []),
    ...(settings.GRPC_SECRET === undefined
      ? [
          'GRPC_SECRET is not set: the services have a new secret until they stop. Set it to call them with commands.',
        ]
      : []),
    ...(settings.SECRETS_KEY === undefined
      ? [
          `SECRETS_KEY is not set: the key of channels is in ${join(settings.SHELFWISE_DATA_DIR, secretsKeyFile)}. Keep a copy; no backup has it.`,
        ]
      : []),
  ];
  const create = 'npm run account -- create --email you@example.com --plan unlimited';
  return [
    '',
    `  Shelfwise listens on ${urls.join(', ')}`,
    `  ${planned.length} processes: ${planned.map(({ name }) => name).join(', ')}`,
    ...missing.map((sentence) => `  ${sentence}`),
    '',
    // The address may hold a password, so only that of --infra is printed.
    `  Create an account and its API key in another shell${hasInfra ? '' : ', where MONGODB_URI is set, too'}:`,
    '',
    `  ${hasInfra ? `MONGODB_URI=${settings.MONGODB_URI} ` : ''}${create}`,
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}
