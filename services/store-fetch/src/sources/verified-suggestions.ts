import type { Store } from '@shelfwise/facts/stores/store';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { Reading, ReadOptions, StoreSource } from './source.ts';
import { StoreFailure } from './store-failure.ts';

/** Has suggestions in every storefront, as far as we know. */
const firstCanary = 'a';
const maxStorefronts = 2000;
/** As long as the breaker of an endpoint that throttles is open. */
const throttledMs = 15_000;

const sources = { ITUNES: 'app-store', GPLAY: 'google-play' } as const satisfies Record<
  Store,
  Reading['source']
>;

type Suggestions = Awaited<ReturnType<StoreSource['suggest']>>;

/**
 * A store that throttles its suggestions answers like one that has none. An empty list is therefore returned only when
 * a canary, a prefix of the same storefront that has suggestions, is asked after it and still has them; else the terms
 * are null. Requests at the same time share a canary. When even the canary is empty the storefront is not asked for a
 * while, and the store's client, which knows that it is a canary, makes a `throttled` call of it.
 */
export function withVerifiedSuggestions(deps: {
  source: StoreSource;
  now: () => Date;
  /** Whether the store can be called for this prefix at all; an answer without a call needs no canary. */
  isSupported(storefront: Storefront, prefix: string): boolean;
}): StoreSource {
  const { source, now, isSupported } = deps;
  const readings = createSharedReadings();
  /** A prefix per storefront that had suggestions when it was last asked. */
  const canaries = new LRUCache<string, string>({ max: maxStorefronts });
  const storesWithSuggestions = new Set<Store>();
  /** When canaries were last empty. */
  const throttledSince = new LRUCache<string, Date>({ max: maxStorefronts });
  /** The canary reading per storefront that was started last. */
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

  /** Whether the storefront gives suggestions at all, checked after the answer that was read at this moment. */
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
    // A storefront that never had any, while others have, may really have none.
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

/** It was not asked because it throttles. */
function isOpenAfterThrottling(failure: unknown): boolean {
  return failure instanceof StoreFailure && failure.kind === 'circuit_open' && isThrottled(failure.cause);
}
