import { isIP } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

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
  return {
    async count(address, peer) {
      const from = isIP(address ?? '') ? address : peer;
      try {
        await limiter.consume(addressGroup(from ?? 'unknown'));
        return null;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
  };
}

/** An IPv4 address, or the /64 of an IPv6 one: a network usually assigns a whole /64 to one client. */
export function addressGroup(address: string): string {
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)?.[1];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
