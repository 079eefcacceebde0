import { createMetrics } from '../src/metrics.ts';
import { connectRedis } from '../src/redis/connect-redis.ts';
import { parseRedisUrl, type RedisAddress } from '../src/redis/redis-url.ts';
import { createRecordingLogger } from './recording-logger.ts';

test('a start without Redis says why there is no connection', async () => {
  const { logger, lines } = createRecordingLogger();
  const redis = await connectRedis({
    address: parseRedisUrl('redis://127.0.0.1:1') as RedisAddress,
    prefix: 'test',
    logger,
    metrics: createMetrics(),
  });
  try {
    expect(lines.filter((line) => line.includes('cannot be reached yet'))).toHaveLength(1);
    expect(lines.join()).toContain('ECONNREFUSED 127.0.0.1:1');
    expect((await redis.status()).detail).toContain('ECONNREFUSED');
  } finally {
    redis.close();
  }
});
