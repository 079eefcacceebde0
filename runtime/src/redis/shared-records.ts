import type { RedisConnection } from './connect-redis.ts';

/**
 * Records that all copies of a service share: named fields of text, and one clock. Each method is one command of at
 * most 50 ms.
 * @throws RedisUnavailable (every method)
 */
export type SharedRecords = {
  /** All fields of the record, none for a missing record, and the time in epoch milliseconds. */
  readFields(record: string): Promise<{ fields: ReadonlyMap<string, string>; nowMs: number }>;
  /**
   * Replaces a field if it still has the value `expected` (null: missing). `current` is its value afterwards. The whole
   * record expires `ttlMs` after its last change.
   */
  replaceField(
    record: string,
    field: string,
    change: { expected: string | null; value: string; ttlMs: number },
  ): Promise<{ isReplaced: boolean; current: string | null; nowMs: number }>;
};

/** A key of another type counts as missing: the copies share nothing until it is replaced. */
const ofTypeLua = `
local isRecord = redis.call('TYPE', KEYS[1]).ok == 'hash'`;

const readLua = `
${ofTypeLua}
local time = redis.call('TIME')
return {time[1], time[2], isRecord and redis.call('HGETALL', KEYS[1]) or {}}`;

/** ARGV: field, value, milliseconds, and the expected value unless the field is expected to be missing. */
const replaceLua = `
${ofTypeLua}
local time = redis.call('TIME')
local current = isRecord and redis.call('HGET', KEYS[1], ARGV[1])
if current ~= (ARGV[4] or false) then return {time[1], time[2], 0, current} end
if not isRecord then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {time[1], time[2], 1, ARGV[2]}`;

export function createSharedRecords({ defineScript }: Pick<RedisConnection, 'defineScript'>): SharedRecords {
  const read = defineScript({ lua: readLua, keyCount: 1 });
  const replace = defineScript({ lua: replaceLua, keyCount: 1 });
  return {
    async readFields(record) {
      const [seconds, micros, pairs] = (await read([record], [])) as [string, string, string[]];
      const fields = new Map<string, string>();
      for (let i = 0; i + 1 < pairs.length; i += 2) fields.set(pairs[i] as string, pairs[i + 1] as string);
      return { fields, nowMs: toMs(seconds, micros) };
    },

    async replaceField(record, field, { expected, value, ttlMs }) {
      const values = [field, value, ttlMs, ...(expected === null ? [] : [expected])];
      const answer = (await replace([record], values)) as [string, string, number, string | null];
      const [seconds, micros, isReplaced, current] = answer;
      return { isReplaced: isReplaced === 1, current, nowMs: toMs(seconds, micros) };
    },
  };
}

/** The time of a Redis server: seconds and microseconds. */
function toMs(seconds: string, micros: string): number {
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
