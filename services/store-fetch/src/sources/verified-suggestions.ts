import type { Store } from '@shelfwise/facts/stores/store';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { Reading, ReadOptions, StoreSource } from './source.ts';
import { StoreFailure } from './store-failure.ts';

/** As far as known, this prefix has suggestions in every storefront. */
const firstCanary = 'a';
const maxStorefronts = 2000;
/** The open time of a breaker after `throttled`. */
const throttledMs = 15_000;

const sources = { ITUNES: 'app-store', GPLAY: 'google-play' } as const satisfies Record<
  Store,
  Reading['source']
>;

type Suggestions = Awaited<ReturnType<StoreSource['suggest']>>;

/**
 * Verifies empty suggestions, because a store that throttles also returns an empty list. An empty list is returned
 * only when a canary, a prefix of the same storefront that has suggestions, is read after it and still has some;
 * otherwise the terms are null. Requests at the same time share a canary. When even the canary "a" is empty, the
 * storefront is not called for a while, and the store's client, which knows that the call is a canary, reports it as
 * `throttled`.
 */
export function withVerifiedSuggestions(deps: {
  source: StoreSource;
  now: () => Date;
  /** Whether the store can be called for this prefix; otherwise the answer needs no canary. */
  isSupported(storefront: Storefront, prefix: string): boolean;
}): StoreSource {
  const { source, now, isSupported } = deps;
  const readings = createSharedReadings();
  /** Per storefront a prefix that had suggestions when it was last read. */
  const canaries = new LRUCache<string, string>({ max: maxStorefronts });
  const storesWithSuggestions = new Set<Store>();
  /** When the canaries of a storefront were last empty. */
  const throttledSince = new LRUCache<string, Date>({ max: maxStorefronts });
  /** The canary read per storefront that started last. */
  const lastReadings = new LRUCache<string, { key: string; startedAt: Date }>({ max: maxStorefronts });
  let readingCount = 0;

  async function suggest(
    storefront: Storefront,
    prefix: string,
    options: Parameters<StoreSource['suggest']>[2],
  ) {
    const answer = await source.suggest(storefront, prefix, options);
    if (answer.terms && answer.terms.length > 0) {
      canaries.set(storefrontKey(storefront), prefix);
      storesWithSuggestions.add(storefront.store);
    }
    return answer;
  }

  /** Whether the storefront has any suggestions, by a canary that started after `readAt`. */
  async function givesSuggestions(
    storefront: Storefront,
    readAt: Date,
    options: ReadOptions,
  ): Promise<boolean> {
    const name = storefrontKey(storefront);
    const last = lastReadings.get(name);
    const key = last && last.startedAt >= readAt ? last.key : `${name} ${readingCount++}`;
    try {
      return await readings.read(key, options, (shared) => {
        lastReadings.set(name, { key, startedAt: now() });
        return askCanaries(storefront, shared);
      });
    } catch (error) {
      if (options.signal.aborted || !isStoreFailure(error)) throw error;
      return false;
    }
  }

  async function askCanaries(storefront: Storefront, options: ReadOptions): Promise<boolean> {
    const name = storefrontKey(storefront);
    const lastCanary = canaries.get(name);
    // A storefront that never had any, while others of the store have, may really have none.
    const isExpected = lastCanary !== undefined || !storesWithSuggestions.has(storefront.store);
    try {
      for (const canary of new Set([lastCanary ?? firstCanary, firstCanary])) {
        const isCanary = isExpected && canary === firstCanary;
        const { terms } = await suggest(storefront, canary, { ...options, isCanary });
        if (terms && terms.length > 0) return true;
      }
    } catch (error) {
      if (isStoreFailure(error) && isThrottled(error.cause)) throttledSince.set(name, now());
      throw error;
    }
    throttledSince.set(name, now());
    return false;
  }

  function wasJustThrottled(storefront: Storefront): boolean {
    const since = throttledSince.get(storefrontKey(storefront));
    const ms = since ? now().getTime() - since.getTime() : -1;
    return ms >= 0 && ms < throttledMs;
  }

  return {
    ...source,
    async suggest(storefront, prefix, options) {
      const unknown = (): Suggestions => ({ readAt: now(), source: sources[storefront.store], terms: null });
      if (!isSupported(storefront, prefix)) return source.suggest(storefront, prefix, options);
      if (wasJustThrottled(storefront)) return unknown();
      try {
        const answer = await suggest(storefront, prefix, options);
        if (answer.terms === null || answer.terms.length > 0) return answer;
        return (await givesSuggestions(storefront, answer.readAt, options))
          ? answer
          : { ...answer, terms: null };
      } catch (error) {
        if (isStoreFailure(error) && isOpenAfterThrottling(error.cause)) return unknown();
        throw error;
      }
    },
  };
}

function isStoreFailure(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'STORE_FETCH_FAILED';
}

function isThrottled(failure: unknown): boolean {
  return failure instanceof StoreFailure && failure.kind === 'throttled';
}

/** Whether the store was not called because it throttles. */
function isOpenAfterThrottling(failure: unknown): boolean {
  return failure instanceof StoreFailure && failure.kind === 'circuit_open' && isThrottled(failure.cause);
}
