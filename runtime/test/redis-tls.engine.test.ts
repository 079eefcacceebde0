import { join } from 'node:path';
import { z } from 'zod';
import { describeWithEngine } from '../../testing/engines.ts';
import {
  callRedis,
  hasRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../testing/redis-servers.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { readConfig } from '../src/process/config.ts';
import { openRedis } from '../src/redis/connect-redis.ts';
import { redisSettings } from '../src/redis/redis-settings.ts';
import { readPems, useCertificates } from './lib/certificates.ts';
import { createRecordingLogger } from './recording-logger.ts';

// The servers of these tests are their own; REDIS_URL only says that engines are to be tested.
describeWithEngine('REDIS_URL', 'Redis with TLS', () => {
  if (!hasRedisServer()) return test.skip('needs redis-server and redis-cli', () => {});

  const { issue } = useCertificates();
  const closing = useClosing();

  async function start(folder: string, options: readonly string[] = []): Promise<RedisServer> {
    const server = await startRedisServer(options, folder);
    closing.push(server.stop);
    return server;
  }

  /** Files of REDIS_TLS_… in this folder. */
  function filesIn(folder: string, names: readonly ('CA' | 'CERT' | 'KEY')[]): Record<string, string> {
    const files = { CA: 'ca.crt', CERT: 'tls.crt', KEY: 'tls.key' };
    return Object.fromEntries(names.map((name) => [`REDIS_TLS_${name}`, join(folder, files[name])]));
  }
  const all = ['CA', 'CERT', 'KEY'] as const;

  async function open(url: string, files: Record<string, string>) {
    const { logger, lines } = createRecordingLogger();
    const settings = readConfig(z.object(redisSettings), { REDIS_URL: url, ...files });
    const redis = await openRedis(settings, {
      logger,
      metrics: createMetrics(),
      onStop: (_name, close) => closing.push(close),
    });
    if (!redis) throw new Error('there is no address');
    return { redis, lines };
  }

  async function untilAvailable({ redis }: Awaited<ReturnType<typeof open>>): Promise<void> {
    await until(redis.isAvailable);
  }

  test('is used when the authority of REDIS_TLS_CA has signed its certificate, and it that of the client', async () => {
    const { port } = await start(issue('redis'));
    const opened = await open(
      `rediss://127.0.0.1:${port}`,
      filesIn(issue('client', { hosts: 'client' }), all),
    );
    await untilAvailable(opened);
    const { redis } = opened;
    expect(await redis.run('key', (client) => client.set('key', 'value', 'PX', 1000))).toBe('OK');
  });

  test('is used as a cluster', async () => {
    const folder = issue('redis');
    const { port } = await start(folder, [
      ...['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-announce-ip', '127.0.0.1'],
    ]);
    const cli = ['--tls', '--cacert', join(folder, 'ca.crt'), '--cert', join(folder, 'tls.crt')];
    callRedis(port, ...cli, '--key', join(folder, 'tls.key'), 'cluster', 'addslotsrange', '0', '16383');
    const opened = await open(`rediss-cluster://127.0.0.1:${port}`, filesIn(issue('client'), all));
    await untilAvailable(opened);
    const { redis } = opened;
    expect(await redis.run('key', (client) => client.set('key', 'value', 'PX', 1000))).toBe('OK');
    const wrong = await open(
      `rediss-cluster://127.0.0.1:${port}`,
      filesIn(issue('client', { authority: 'theirs' }), all),
    );
    // ioredis does not say why it closed the connections to the nodes.
    expect(wrong.lines.join()).toContain('no node of the cluster answers');
    expect(await wrong.redis.status()).toMatchObject({ state: 'DEGRADED' });
  });

  /** Redis ends the connection of a client that it does not trust: with an alert, which does not always arrive. */
  type Case = {
    server?: string;
    client?: string;
    hosts?: string;
    files?: readonly ('CA' | 'CERT' | 'KEY')[];
    days?: number;
  };
  test.each<[string, Case, string]>([
    [
      'of another authority',
      { server: 'theirs' },
      'its certificate is signed by an authority that this process does not know; see REDIS_TLS_CA',
    ],
    ['of an authority that no setting names', { files: ['CERT', 'KEY'] }, 'see REDIS_TLS_CA'],
    [
      'with a certificate for another host',
      { hosts: 'localhost,127.0.0.2' },
      'its certificate is for another host',
    ],
    ['with an expired certificate', { days: -1 }, 'its certificate has expired'],
    ['that asks for a certificate', { files: ['CA'] }, ''],
    ['that does not trust the certificate of the client', { client: 'theirs' }, ''],
  ])('is refused: one %s', async (_server, given, sentence) => {
    const { server = 'ours', client = 'ours', hosts = '127.0.0.1', files = all, days = 1 } = given;
    const { port } = await start(issue('redis', { authority: server, hosts, days }));
    const folder = issue('client', { authority: client });
    // The client of another authority trusts the one of the server.
    const trusted = filesIn(client === server ? folder : issue('own'), ['CA']);
    const own = filesIn(
      folder,
      files.filter((name) => name !== 'CA'),
    );
    const settings = { ...own };
    if (files.includes('CA')) Object.assign(settings, trusted);
    const { redis, lines } = await open(`rediss://user:secret@127.0.0.1:${port}`, settings);
    expect(lines.filter((line) => line.includes('cannot be reached yet'))).toHaveLength(1);
    expect(lines.join()).toContain(sentence);
    expect(await redis.status()).toMatchObject({
      state: 'DEGRADED',
      detail: expect.stringContaining(sentence),
    });
    await expect(redis.run('key', (one) => one.set('key', 'value'))).rejects.toThrow(sentence);
    expect(lines.join()).not.toContain('secret');
    expect(lines.join()).not.toContain(readPems(folder).key.toString('utf8').split('\n')[1]);
  });
});
