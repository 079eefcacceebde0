import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keyVersionKey } from '@shelfwise/gateway/limits/redis-limits';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { readConfig } from '@shelfwise/runtime/process/config';
import { connectRedis } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { describeWithEngine } from '../../testing/engines.ts';
import { startDatabaseServer } from '../../testing/start-database-server.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { runAccountCommand } from '../src/commands/account.ts';
import { accountConfig } from '../src/config.ts';

describeWithEngine('REDIS_URL', 'the account command with Redis', (url) => {
  const closing = useClosing();

  test('a key that it replaces is known as replaced to every gateway when it returns', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-account-'));
    closing.push(() => rmSync(dataDir, { recursive: true }));
    const server = await startDatabaseServer();
    closing.push(() => server.stop());
    const prefix = `test-${randomUUID().slice(0, 8)}`;
    const settings = readConfig(accountConfig, {
      SHELFWISE_DATA_DIR: dataDir,
      MONGODB_URI: server.uri,
      MONGODB_PREFIX: `${prefix}-`,
      REDIS_URL: url,
      REDIS_PREFIX: prefix,
    });
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
    const worker = pathToFileURL('never-started.js');
    const deps = { settings, logger, worker, pid: process.pid, print: () => {} };
    const created = await runAccountCommand(
      { action: 'create', email: 'a@example.com', plan: 'unlimited' },
      deps,
    );
    const { id } = created as { id: string };
    await runAccountCommand({ action: 'regenerate', id }, deps);

    const address = parseRedisUrl(url) as RedisAddress;
    const redis = await connectRedis({ address, prefix, logger, metrics: createMetrics(), answerMs: 2000 });
    closing.push(() => redis.close());
    const key = keyVersionKey(id);
    closing.push(() => redis.run(id, (client) => client.del(key)));
    expect(await redis.run(id, (client) => client.get(key))).toBe('2');
  });
});
