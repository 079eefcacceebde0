import type { Address, Budget } from '../store-health/endpoints.ts';
import type { Buckets } from './buckets.ts';
import { type Bucket, isPlausible, mayTakeAtMs } from './token-bucket.ts';

/**
 * One budget on each address, as this copy last read it from the database. Other copies may have spent more since then: only
 * `take` decides.
 */
export function createAddressBudgets(deps: {
  budget: Budget;
  perMinute: number;
  buckets: Buckets;
  nowMs: () => number;
}) {
  const { budget, perMinute, buckets, nowMs } = deps;
  /** When each address's bucket will be full, as last read. */
  const lastReadMs = new Map<Address, number>();

  const bucketOf = (address: Address): Bucket => ({ id: `${budget}:${address.label}`, perMinute });

  /**
   * When the address's bucket will be full. An unknown or implausible time (the clock was set back) counts as full now:
   * taking a call then reads it from the database.
   */
  function fullAtMs(address: Address): number {
    const [known, now] = [lastReadMs.get(address), nowMs()];
    return known !== undefined && isPlausible(bucketOf(address), known, now) ? known : now;
  }

  return {
    fullAtMs,

    /** When a call may be taken, as far as is known. */
    mayTakeAtMs: (address: Address, isUrgent: boolean): number =>
      mayTakeAtMs(bucketOf(address), fullAtMs(address), isUrgent),

    /**
     * Takes a call; false when none is left.
     * @throws SERVICE_UNAVAILABLE when the budgets cannot be read
     */
    async take(address: Address, isUrgent: boolean): Promise<boolean> {
      const { isTaken, fullAt } = await buckets.take(bucketOf(address), isUrgent);
      lastReadMs.set(address, fullAt.getTime());
      return isTaken;
    },
  };
}
