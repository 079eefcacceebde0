import { isIP } from 'node:net';
import { type RedisConnection, RedisUnavailable } from '@shelfwise/runtime/redis/connect-redis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

export type AddressLimiter = {
  /**
   * Counts one call. `address` is the caller's according to the proxies, `peer` the connection's. Returns null while the
   * address is below its limit, otherwise the seconds to wait.
   */
  count(address: string | undefined, peer: string | undefined): Promise<number | null>;
};

/** Limits the calls of each address per minute, in this process's memory. */
export function createAddressLimiter(callsPerMinute: number): AddressLimiter {
  const limiter = new RateLimiterMemory({ points: callsPerMinute, duration: 60 });
  return { count: async (address, peer) => consume(limiter, toGroup(address, peer)) };
}

/** What Redis says of a count that is no number. Redis is not away then, and such a count is replaced. */
const unreadable = /WRONGTYPE|not an integer/;

/** Limits the calls of each address per minute over all gateways; while Redis is away, in each of them. */
export function createSharedAddressLimiter(redis: RedisConnection, callsPerMinute: number): AddressLimiter {
  const options = { points: callsPerMinute, duration: 60 };
  const shared = new RateLimiterRedis({
    ...options,
    storeClient: redis.client,
    keyPrefix: 'address',
    // A flood of one address does not reach Redis, which the decisions of all accounts need.
    inMemoryBlockOnConsumed: callsPerMinute,
  });
  const insurance = new RateLimiterMemory(options);

  async function consumeShared(client: RedisConnection['client'], group: string): Promise<number | null> {
    try {
      return await consume(shared, group);
    } catch (error) {
      const isReadable = !(error instanceof Error && unreadable.test(error.message));
      if (isReadable) throw error;
      await client.del(shared.getKey(group));
      return consume(shared, group);
    }
  }

  return {
    async count(address, peer) {
      const group = toGroup(address, peer);
      try {
        // Not its own insurance limiter: it would wait for a frozen Redis in every call.
        return await redis.run(`address:${group}`, (client) => consumeShared(client, group));
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error;
        return consume(insurance, group);
      }
    },
  };
}

/** Counts one call. Returns null below the limit, otherwise the seconds to wait. */
export async function consume(limiter: RateLimiterAbstract, group: string): Promise<number | null> {
  try {
    await limiter.consume(group);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

/**
 * Whose call it is. A malformed address counts as that of the connection.
 * @param bits as for `addressGroup`
 */
export function toGroup(address: string | undefined, peer: string | undefined, bits: 48 | 64 = 64): string {
  const from = isIP(address ?? '') ? address : peer;
  return addressGroup(from ?? 'unknown', bits);
}

/**
 * An IPv4 address, or the network of an IPv6 one.
 * @param bits 64: a network usually assigns a whole /64 to one client; 48: many clients can have as much
 */
export function addressGroup(address: string, bits: 48 | 64 = 64): string {
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)?.[1];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after];
  return `${groups
    .slice(0, bits / 16)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${bits}`;
}
