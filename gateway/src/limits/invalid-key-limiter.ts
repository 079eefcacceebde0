import { type AddressLimiter, createAddressLimiter } from './address-limiter.ts';

export type InvalidKeyLimiter = {
  /**
   * Counts one call without a valid key. `address` is the caller's according to the proxies, `peer` the connection's.
   * Returns null while the address is below its limit, otherwise the seconds to wait.
   */
  countAttempt: AddressLimiter['count'];
};

/** 30 calls a minute per address, in this process's memory. */
export function createInvalidKeyLimiter(): InvalidKeyLimiter {
  return { countAttempt: createAddressLimiter(30).count };
}
