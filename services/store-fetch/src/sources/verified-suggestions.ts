import type { Store } from '@shelfwise/facts/stores/store';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { LiveStores, Reading, ReadOptions, StoreSource } from '../source.ts';
import { StoreFailure } from '../store-health/store-failure.ts';

/** The canary when no other prefix is known. As far as known, it has suggestions in every storefront. */
const fallbackCanary = 'a';
/** A storefront of both stores in which it always has. */
const reference = { country: 'US', lang: 'en-US' } as const;
/** The limit of each cache below. */
const maxStorefronts = 2000;
/** How long a throttled storefront is not called: as long as a breaker stays open after its first `throttled`. */
const throttledMs = 15_000;

/** Looks after which a thorough read believes an empty list, and after which it does in a doubtful storefront. */
const usualLooks = 3;
const doubtfulLooks = 5;
/** How long a storefront is doubtful after a sign of throttling. */
const doubtfulMs = 60_000;
/** Reads of both canaries before they are silent: a store that throttles only some calls answers one of them. */
const canaryRounds = 3;

/**
 * What the canaries show: the first call has suggestions; only a later one has; none has, or they cannot be read. A
 * store that throttles some calls makes them waver.
 */
type CanaryResult = 'steady' | 'wavering' | 'silent';

type SuggestOptions = Parameters<StoreSource['suggest']>[2];

const sourceNames = { ITUNES: 'app-store', GPLAY: 'google-play' } as const satisfies Record<
  Store,
  Reading['source']
>;

type Suggestions = Awaited<ReturnType<StoreSource['suggest']>>;

/**
 * Checks every empty list of suggestions, because a store that throttles also returns one, now and then or always.
 * After each look at an empty list it reads a canary: a prefix of the same storefront that had suggestions before. If
 * that has none, it reads "a", then both in turn, up to six calls. An empty list is believed after one such look, by a
 * thorough read (`isThorough`) after three. All canaries must be steady, each in a call that started no earlier than
 * its look. Otherwise the terms are null (unknown).
 *
 * A canary that wavers or is silent, or a contradicted empty list, is a sign of throttling. For a minute the storefront
 * is then doubtful: a thorough read needs five looks, and any other believes no empty list. A thorough read goes on
 * looking after a wavering canary, because the list may still turn out not to be empty.
 *
 * Requests at the same time share one check. When the canaries are silent, the storefront is not called for 15 s and
 * its terms are null. The last call, for "a", is marked with `isCanary`, so that the store's client reports an empty
 * list as `throttled`, which opens the breaker. Until the storefront has suggestions again, two calls are enough for
 * that. A storefront that never had suggestions is not marked. If none of the store has had some yet, the United States
 * are read in addition, and marked.
 */
export function createVerifiedSuggest(deps: { stores: LiveStores; now: () => Date }): StoreSource['suggest'] {
  const { stores, now } = deps;
  const checks = createSharedReadings();
  /** By storefront: the prefix that had suggestions most recently. */
  const canaries = new LRUCache<string, string>({ max: maxStorefronts });
  /** Stores that have returned suggestions in any storefront. */
  const storesWithSuggestions = new Set<Store>();
  /** By storefront: when its canaries were last silent, unless it has had suggestions since. */
  const throttledSince = new LRUCache<string, Date>({ max: maxStorefronts });
  /** By storefront: when it last showed a sign of throttling. */
  const doubtfulSince = new LRUCache<string, Date>({ max: maxStorefronts });
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
      throttledSince.delete(storefrontKey(storefront));
      storesWithSuggestions.add(storefront.store);
    }
    return answer;
  }

  /**
   * Whether the canaries have suggestions, in a check that started at or after `readAt`: an earlier one does not show
   * whether the store throttled then. `silent` also when the store fails.
   */
  async function checkCanaries(
    storefront: Storefront,
    readAt: Date,
    options: ReadOptions,
  ): Promise<CanaryResult> {
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
      return 'silent';
    }
  }

  async function readCanaries(storefront: Storefront, options: ReadOptions): Promise<CanaryResult> {
    const mapKey = storefrontKey(storefront);
    const lastCanary = canaries.get(mapKey);
    // A storefront that never had suggestions may have none at all. Its empty list for "a" is not marked as throttling, which
    // would open the breaker for all storefronts.
    const isExpected = lastCanary !== undefined || storefront.country === reference.country;
    const rounds = throttledSince.has(mapKey) ? 1 : canaryRounds;
    const calls = Array<string[]>(rounds)
      .fill([lastCanary ?? fallbackCanary, fallbackCanary])
      .flat();
    try {
      for (const [index, canary] of calls.entries()) {
        const isCanary = isExpected && index === calls.length - 1;
        const { terms } = await suggest(storefront, canary, { ...options, isCanary });
        if (terms && terms.length > 0) return index === 0 ? 'steady' : 'wavering';
      }
      // Without suggestions of any storefront so far, one that surely has some tells whether the store throttles.
      if (!isExpected && !storesWithSuggestions.has(storefront.store))
        await suggest({ ...storefront, ...reference }, fallbackCanary, { ...options, isCanary: true });
    } catch (error) {
      if (isStoreFetchFailed(error) && isThrottled(error.cause)) throttledSince.set(mapKey, now());
      throw error;
    }
    throttledSince.set(mapKey, now());
    return 'silent';
  }

  const unknown = (storefront: Storefront): Suggestions => ({
    readAt: now(),
    source: sourceNames[storefront.store],
    terms: null,
    isUncertain: false,
  });

  function isWithin(since: Date | undefined, maxMs: number): boolean {
    const ms = since ? now().getTime() - since.getTime() : -1;
    return ms >= 0 && ms < maxMs;
  }

  const noteThrottling = (storefront: Storefront) => doubtfulSince.set(storefrontKey(storefront), now());

  async function readList(
    storefront: Storefront,
    prefix: string,
    { isThorough = false, ...options }: SuggestOptions,
  ): Promise<Suggestions> {
    const isDoubtful = isWithin(doubtfulSince.get(storefrontKey(storefront)), doubtfulMs);
    const requiredLooks = isDoubtful ? doubtfulLooks : isThorough ? usualLooks : 1;
    const maxLooks = isThorough ? doubtfulLooks : 1;
    let isBelievable = requiredLooks <= maxLooks;
    for (let looks = 1; looks <= maxLooks; looks++) {
      const answer = await suggest(storefront, prefix, options);
      const isEmpty = answer.terms?.length === 0;
      if (!isEmpty) {
        if (looks > 1) noteThrottling(storefront);
        // Null: the store cannot be called for this prefix.
        return { ...answer, isUncertain: false };
      }
      if (!isBelievable) continue;
      const canaries = await checkCanaries(storefront, answer.readAt, options);
      if (canaries !== 'steady') {
        noteThrottling(storefront);
        isBelievable = false;
      }
      if (canaries === 'silent') break;
      if (isBelievable && looks === requiredLooks) return { ...answer, isUncertain: true };
    }
    return unknown(storefront);
  }

  return async (storefront, prefix, options) => {
    const throttledAt = throttledSince.get(storefrontKey(storefront));
    if (isWithin(throttledAt, throttledMs)) return unknown(storefront);
    try {
      return await readList(storefront, prefix, options);
    } catch (error) {
      if (isStoreFetchFailed(error) && isOpenAfterThrottling(error.cause)) return unknown(storefront);
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
