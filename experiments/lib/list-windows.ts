import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';

/** The gateway's decision with the times in a list instead of a string, for comparison. */
const script = `
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local stored = redis.call('MGET', KEYS[2], KEYS[3])
local known, spent = tonumber(stored[1]), tonumber(stored[2])
if not known then known = 1; redis.call('SET', KEYS[2], 1, 'EX', 3600) end
if not spent then spent = 0; redis.call('SET', KEYS[3], 0, 'EX', 3600) end
if tonumber(ARGV[1]) < known then return {'key-replaced'} end
local burst = redis.call('LINDEX', KEYS[1], 4)
local sustained = redis.call('LINDEX', KEYS[1], 58)
local burstFree = burst and burst + 1000000 or 0
local sustainedFree = sustained and sustained + 60000000 or 0
local free = math.max(burstFree, sustainedFree)
if now < free then return {'rate-limited', burstFree > sustainedFree and 5 or 60, free - now} end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, 58)
redis.call('PEXPIRE', KEYS[1], 60000)
if spent >= tonumber(ARGV[2]) then return {'quota-exceeded'} end
redis.call('INCR', KEYS[3])
return {'admitted'}`;

export function decideWithList(redis: RedisConnection): (account: string) => Promise<unknown> {
  const decide = redis.defineScript({ lua: script, keyCount: 3 });
  return (account) =>
    decide([`list:{${account}}:times`, `list:{${account}}:version`, `list:{${account}}:quota`], [1, 1e9]);
}
