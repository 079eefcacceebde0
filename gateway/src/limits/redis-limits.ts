import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import type { LimitedCall, RateLimited } from './limit-decider.ts';
import { keyWindows, type WindowLimit, type Windows } from './sliding-windows.ts';
import { toMonth } from './usage-model.ts';

/** What Redis must know before it can decide; read from the database when Redis does not have it. */
export type Loaded = { keyVersion: number; spent: number };

export type RedisDecision =
  | { outcome: 'admitted' | 'key-replaced' | 'quota-exceeded' }
  | RateLimited
  /** Nothing is decided or counted: the key version or the month's usage is missing. */
  | { outcome: 'missing' };

/** The limits of all gateways in Redis. Every method throws RedisUnavailable. */
export type RedisLimits = {
  /** One round trip. @param loaded what a call that was answered `missing` has read from the database */
  decide(call: LimitedCall, loaded?: Loaded): Promise<RedisDecision>;
  /** Takes an API request back from the copy of the month. */
  refund(call: Pick<LimitedCall, 'accountId' | 'at'>): Promise<void>;
  /** Drops the copy of the month: the next decision reads it from the database again. */
  dropQuota(call: Pick<LimitedCall, 'accountId' | 'at'>): Promise<void>;
  /** From now on a call with an older version is `key-replaced`. An older version than the known one changes nothing. */
  setKeyVersion(accountId: string, keyVersion: number): Promise<void>;
};

/** Key versions and quotas are read from the database again after it, so that no error lasts. */
const copiesExpireAfterSeconds = 3600;

/**
 * A whole number that INCR and DECR accept, or nil. Read it with MGET, for which a key of another type is missing; GET fails.
 * `tonumber` alone accepts "nan", which is neither older nor newer than any key.
 */
const toCountLua = `
local function toCount(text)
  if text and #text < 16 and (text == '0' or string.find(text, '^[1-9]%d*$')) then return tonumber(text) end
end`;

/**
 * KEYS: the times of admitted calls, the key version, the month's API requests.
 * ARGV: the call's key version, what it spends, the cap (empty: none); with values from the database, also the key version
 * and the usage.
 *
 * The times are one string, 8 bytes each in microseconds of Redis's clock, the newest last: a decision reads three of them.
 * The windows are those of `sliding-windows.ts`. A clock that goes back by more than the longest window drops the times.
 * After a smaller step the windows have room later, by the step.
 *
 * What the script cannot read counts as missing and is replaced. After dropped times each gateway still has its own windows:
 * all together admit at most gateways x limit, as without Redis.
 */
const decideScript = ({ burst, sustained }: Windows) => `
${toCountLua}
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local stored = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
local times, known, spent = stored[1] or '', toCount(stored[2]), toCount(stored[3])
local version, cap = tonumber(ARGV[1]), tonumber(ARGV[3])
local counts = ARGV[2] == '1' and cap

local loaded = math.max(tonumber(ARGV[4] or 0), known and version or 0)
if loaded > (known or 0) then
  known = loaded
  redis.call('SET', KEYS[2], known, 'EX', ${copiesExpireAfterSeconds})
end
if counts and not spent and ARGV[5] then
  spent = tonumber(ARGV[5])
  redis.call('SET', KEYS[3], spent, 'EX', ${copiesExpireAfterSeconds})
end
if not known or (counts and not spent) then return {'missing'} end
if version < known then return {'key-replaced'} end

local count, latest = #times / 8, now + 60000000
local newest = count >= 1 and struct.unpack('<d', times, #times - 7) or 0
${unpackNewest('first', burst.calls)}
${unpackNewest('oldest', sustained.calls)}
-- Not <= is also true of NaN.
if count % 1 ~= 0 or not (newest <= latest and first <= latest and oldest <= latest) then
  times, first, oldest = '', 0, 0
end
local burst, sustained = first + ${burst.windowMs * 1000}, oldest + ${sustained.windowMs * 1000}
local free = math.max(burst, sustained)
if now < free then return {'rate-limited', burst > sustained and ${burst.shownLimit} or ${sustained.shownLimit}, free - now} end
redis.call('SET', KEYS[1], string.sub(times, -${8 * (sustained.calls - 1)}) .. struct.pack('<d', now), 'PX', ${sustained.windowMs})

if counts then
  if spent >= cap then return {'quota-exceeded'} end
  redis.call('INCR', KEYS[3])
end
return {'admitted'}`;

/** Lua that reads the time of the last admitted call but `calls - 1`; 0 when there are fewer. */
function unpackNewest(name: string, calls: number): string {
  return `local ${name} = count >= ${calls} and struct.unpack('<d', times, #times - ${8 * calls - 1}) or 0`;
}

const refundScript = `
${toCountLua}
if (toCount(redis.call('MGET', KEYS[1])[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end`;

const setKeyVersionScript = `
${toCountLua}
if (toCount(redis.call('MGET', KEYS[1])[1]) or 0) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ${copiesExpireAfterSeconds})
end`;

/** @param sizes each kind of windows has its own times; key versions and quotas are shared */
export function createRedisLimits(redis: RedisConnection, sizes = keyWindows): RedisLimits {
  const decide = redis.defineScript({ lua: decideScript(sizes), keyCount: 3 });
  const timesOf = sizes === keyWindows ? timesKey : sessionTimesKey;
  const refund = redis.defineScript({ lua: refundScript, keyCount: 1 });
  const setKeyVersion = redis.defineScript({ lua: setKeyVersionScript, keyCount: 1 });

  return {
    async decide({ accountId, keyVersion, quotaCost, quotaLimit, at }, loaded) {
      const values = [keyVersion, quotaCost, quotaLimit ?? ''];
      if (loaded) values.push(loaded.keyVersion, loaded.spent);
      const keys = [timesOf(accountId), keyVersionKey(accountId), quotaKey(accountId, at)];
      const reply = await decide(keys, values);
      return toDecision(reply as ScriptReply);
    },
    async refund({ accountId, at }) {
      await refund([quotaKey(accountId, at)], []);
    },
    async dropQuota({ accountId, at }) {
      const key = quotaKey(accountId, at);
      await redis.run(key, (client) => client.del(key));
    },
    async setKeyVersion(accountId, keyVersion) {
      await setKeyVersion([keyVersionKey(accountId)], [keyVersion]);
    },
  };
}

type ScriptReply =
  | ['rate-limited', WindowLimit, number]
  | [Exclude<RedisDecision['outcome'], 'rate-limited'>];

function toDecision(reply: ScriptReply): RedisDecision {
  if (reply[0] !== 'rate-limited') return { outcome: reply[0] };
  return { outcome: 'rate-limited', limit: reply[1], retryAfterMs: reply[2] / 1000 };
}

// The hash tag keeps the keys of an account on one node of a cluster, as a script needs it.
export const timesKey = (accountId: string) => `limits:{${accountId}}:times`;
const sessionTimesKey = (accountId: string) => `limits:{${accountId}}:session-times`;
export const keyVersionKey = (accountId: string) => `limits:{${accountId}}:key-version`;
export const quotaKey = (accountId: string, at: Date) => `limits:{${accountId}}:quota:${toMonth(at)}`;
