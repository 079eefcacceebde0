import { randomUUID } from 'node:crypto';
import { describeWithEngine } from '../../testing/engines.ts';
import { until } from '../../testing/until.ts';
import { createLogger } from '../src/log/logger.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { connectRedis, type RedisConnection } from '../src/redis/connect-redis.ts';
import { parseRedisUrl, type RedisAddress } from '../src/redis/redis-url.ts';
import { createSharedCache } from '../src/redis/shared-cache.ts';
import { createSharedRecords } from '../src/redis/shared-records.ts';

describeWithEngine('REDIS_URL', 'what copies share through Redis', (url) => {
  let redis: RedisConnection;
  beforeEach(async () => {
    redis = await connectRedis({
      address: parseRedisUrl(url) as RedisAddress,
      prefix: `test-${randomUUID()}`,
      logger: createLogger({ name: 'test', level: 'silent', destination: process.stdout }),
      metrics: createMetrics(),
      answerMs: 60_000,
    });
  });
  afterEach(async () => {
    for (const key of ['record', 'key']) await redis.run(key, (client) => client.del(key));
    redis.close();
  });

  test('a field is replaced only if it still is what was expected; the record expires', async () => {
    const { readFields, replaceField } = createSharedRecords(redis);
    const set = (expected: string | null, value: string) =>
      replaceField('record', 'field', { expected, value, ttlMs: 60_000 });
    expect((await readFields('record')).fields.size).toBe(0);
    expect(await set('one', 'two')).toMatchObject({ isReplaced: false, current: null });
    expect(await set(null, 'one')).toMatchObject({ isReplaced: true, current: 'one' });
    expect(await set(null, 'two')).toMatchObject({ isReplaced: false, current: 'one' });
    expect(await set('one', 'two')).toMatchObject({ isReplaced: true, current: 'two' });
    const { fields, nowMs } = await readFields('record');
    expect([...fields]).toEqual([['field', 'two']]);
    const [seconds] = await redis.client.time();
    expect(Math.abs(nowMs - Number(seconds) * 1000)).toBeLessThan(60_000);
    expect(await redis.run('record', (client) => client.pttl('record'))).toBeGreaterThan(50_000);
  });

  test('a record under a key of another type is missing, and replaced', async () => {
    const { readFields, replaceField } = createSharedRecords(redis);
    await redis.run('record', (client) => client.set('record', 'garbage'));
    expect((await readFields('record')).fields.size).toBe(0);
    const change = { expected: null, value: 'one', ttlMs: 60_000 };
    expect(await replaceField('record', 'field', change)).toMatchObject({ isReplaced: true, current: 'one' });
    expect([...(await readFields('record')).fields]).toEqual([['field', 'one']]);
    expect(redis.isAvailable()).toBe(true);
  });

  test('a value is kept until it expires; a large one, or one under a key of another type, is missing', async () => {
    const cache = createSharedCache(redis);
    const written = () => until(async () => (await cache.get('key')) !== null);
    cache.set('key', new Uint8Array(64 * 1024 + 1), 60_000);
    cache.set('key', Uint8Array.of(0, 255, 128), 60_000);
    await written();
    expect([...((await cache.get('key')) ?? [])]).toEqual([0, 255, 128]);
    expect(await redis.run('key', (client) => client.pttl('key'))).toBeGreaterThan(50_000);
    await createSharedRecords(redis).replaceField('record', 'f', {
      expected: null,
      value: 'v',
      ttlMs: 60_000,
    });
    expect(await cache.get('record')).toBeNull();
    expect(redis.isAvailable()).toBe(true);
  });
});
