import { createServer } from 'node:net';
import { createMetrics } from '../src/metrics/metrics.ts';
import { connectRedis } from '../src/redis/connect-redis.ts';
import { parseRedisUrl, type RedisAddress } from '../src/redis/redis-url.ts';
import { createRecordingLogger } from './recording-logger.ts';

async function connect(url: string) {
  const { logger, lines } = createRecordingLogger();
  const address = parseRedisUrl(url) as RedisAddress;
  return { lines, redis: await connectRedis({ address, prefix: 'test', logger, metrics: createMetrics() }) };
}

test('a start without Redis says why there is no connection', async () => {
  const { redis, lines } = await connect('redis://127.0.0.1:1');
  try {
    expect(lines.filter((line) => line.includes('cannot be reached yet'))).toHaveLength(1);
    expect(lines.join()).toContain('ECONNREFUSED 127.0.0.1:1');
    expect((await redis.status()).detail).toContain('ECONNREFUSED');
  } finally {
    redis.close();
  }
});

test('a server that repeats the password in its error does not bring it into a log or a health page', async () => {
  const refusal = "-ERR unknown command 'AUTH', with args beginning with: 'ann' 's3cret' \r\n";
  const server = createServer((socket) => {
    socket.on('error', () => {});
    // One answer for each command.
    socket.on('data', (text) => socket.write(refusal.repeat(text.toString().match(/^\*/gm)?.length ?? 0)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { redis, lines } = await connect(`redis://ann:s3cret@127.0.0.1:${port}`);
  try {
    const { detail } = await redis.status();
    const thrown = await redis.run('key', (client) => client.exists('key')).catch(String);
    for (const shown of [lines.join(), detail, thrown]) {
      expect(shown).toContain("ERR unknown command 'AUTH'");
      expect(shown).not.toContain('s3cret');
    }
  } finally {
    redis.close();
    server.close();
  }
});
