import type { Store } from '@shelfwise/facts/stores/store';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { LiveStores, Reading, ReadOptions, StoreSource } from '../source.ts';
import { StoreFailure } from '../store-failure.ts';

/** The canary when no other prefix is known. As far as known, it has suggestions in every storefront. */
const fallbackCanary = 'a';
/** The limit of each cache below. */
const maxStorefronts = 2000;
/** How long a throttled storefront is not called: as long as a breaker stays open after its first `throttled`. */
const throttledMs = 15_000;

const sourceNames = { ITUNES: 'app-store', GPLAY: 'google-play' } as const satisfies Record<
  Store,
  Reading['source']
>;

type Suggestions = Awaited<ReturnType<StoreSource['suggest']>>;

/**
 * Checks every empty list of suggestions, because a store that throttles also returns one. The check reads a canary: a
 * prefix of the same storefront that had suggestions before, then "a". If a canary has suggestions, in a call that
 * started no earlier than the checked one, the list is returned as empty; otherwise the terms are null (unknown).
 * Requests at the same time share one check. When no canary has suggestions, the storefront is not called for 15 s
 * and its terms are null. The call for "a" is marked with `isCanary`, so that the store's client reports an empty list
 * as `throttled`.
 */
export function createVerifiedSuggest(deps: { stores: LiveStores; now: () => Date }): StoreSource['suggest'] {
  const { stores, now } = deps;
  const checks = createSharedReadings();
  /** By storefront: the prefix that had suggestions most recently. */
  const canaries = new LRUCache<string, string>({ max: maxStorefronts });
  /** Stores that have returned suggestions in any storefront. */
  const storesWithSuggestions = new Set<Store>();
  /** By storefront: when its canaries last had no suggestions. */
  const throttledSince = new LRUCache<string, Date>({ max: maxStorefronts });
  /** By storefront: when its latest check started, and the key of that check in `checks`. */
  const lastChecks = new LRUCache<string, { key: string; startedAt: Date }>({ max: maxStorefronts });
  let checkCount = 0;

  async function suggest(
    storefront: Storefront,
    prefix: string,
    options: ReadOptions & { isCanary?: boolean },
  ) {
    const answer = await stores[storefront.store].suggest(storefront, prefix, options);
    if (answer.terms && answer.terms.length > 0) {
      canaries.set(storefrontKey(storefront), prefix);
      storesWithSuggestions.add(storefront.store);
    }
    return answer;
  }

  /**
   * Whether a canary has suggestions, in a check that started at or after `readAt`: an earlier one does not show
   * whether the store throttled then. False also when the store fails.
   */
  async function hasSuggestions(
    storefront: Storefront,
    readAt: Date,
    options: ReadOptions,
  ): Promise<boolean> {
    const mapKey = storefrontKey(storefront);
    const last = lastChecks.get(mapKey);
    const key = last && last.startedAt >= readAt ? last.key : `${mapKey} ${checkCount++}`;
    try {
      return await checks.read(key, options, (shared) => {
        lastChecks.set(mapKey, { key, startedAt: now() });
        return readCanaries(storefront, shared);
      });
    } catch (error) {
      if (options.signal.aborted || !isStoreFetchFailed(error)) throw error;
      return false;
    }
  }

  async function readCanaries(storefront: Storefront, options: ReadOptions): Promise<boolean> {
    const mapKey = storefrontKey(storefront);
    const lastCanary = canaries.get(mapKey);
    // A storefront that never had suggestions, while others of the store had, may have none at all. Its empty list for
    // "a" is not marked as throttling, which would open the breaker for all storefronts.
    const isExpected = lastCanary !== undefined || !storesWithSuggestions.has(storefront.store);
    try {
      for (const canary of new Set([lastCanary ?? fallbackCanary, fallbackCanary])) {
        const isCanary = isExpected && canary === fallbackCanary;
        const { terms } = await suggest(storefront, canary, { ...options, isCanary });
        if (terms && terms.length > 0) return true;
      }
    } catch (error) {
      if (isStoreFetchFailed(error) && isThrottled(error.cause)) throttledSince.set(mapKey, now());
      throw error;
    }
    throttledSince.set(mapKey, now());
    return false;
  }

  function wasJustThrottled(storefront: Storefront): boolean {
    const since = throttledSince.get(storefrontKey(storefront));
    const ms = since ? now().getTime() - since.getTime() : -1;
    return ms >= 0 && ms < throttledMs;
  }

  return async (storefront, prefix, options) => {
    const unknown = (): Suggestions => ({
      readAt: now(),
      source: sourceNames[storefront.store],
      terms: null,
    });
    if (wasJustThrottled(storefront)) return unknown();
    try {
      const answer = await suggest(storefront, prefix, options);
      // Null: the store cannot be called for this prefix.
      if (answer.terms === null || answer.terms.length > 0) return answer;
      return (await hasSuggestions(storefront, answer.readAt, options)) ? answer : { ...answer, terms: null };
    } catch (error) {
      if (isStoreFetchFailed(error) && isOpenAfterThrottling(error.cause)) return unknown();
      throw error;
    }
  };
}

function isStoreFetchFailed(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'STORE_FETCH_FAILED';
}

/** @param failure the cause of an error for which `isStoreFetchFailed` is true */
function isThrottled(failure: unknown): boolean {
  return failure instanceof StoreFailure && failure.kind === 'throttled';
}

/** Whether the store was not called because its breaker is open after throttling. */
function isOpenAfterThrottling(failure: unknown): boolean {
  return failure instanceof StoreFailure && failure.kind === 'circuit_open' && isThrottled(failure.cause);
}
