import type { Store } from '@shelfwise/facts/store';
import { type Storefront, storefrontKey } from '@shelfwise/facts/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { Reading, ReadOptions, StoreSource } from './source.ts';
import { StoreFailure } from './store-failure.ts';

/** Completed to something in every storefront, or so we believe. */
const firstCanary = 'a';
const maxStorefronts = 2000;
/** As long as an endpoint rests that was found throttling. */
const silenceMs = 15_000;

const sources = { ITUNES: 'app-store', GPLAY: 'google-play' } as const satisfies Record<
  Store,
  Reading['source']
>;

type Suggestions = Awaited<ReturnType<StoreSource['suggest']>>;

/**
 * A store that throttles its suggestions answers like one that has none. An empty list is therefore believed only when
 * a canary, a prefix of the same storefront that has suggestions, is asked after it and still has them; else the terms
 * are null. Questions at the same time share a canary. When even that is empty the storefront is not asked for a while,
 * and the store's client, which was told that it is one, makes a `throttled` call of it.
 */
export function withBelievableSuggestions(deps: {
  source: StoreSource;
  now: () => Date;
  /** Whether the store is called at all for this prefix; an answer without a call needs no canary. */
  isAsked(storefront: Storefront, prefix: string): boolean;
}): StoreSource {
  const { source, now, isAsked } = deps;
  const readings = createSharedReadings();
  /** A prefix per storefront that had suggestions when it was last asked. */
  const canaries = new LRUCache<string, string>({ max: maxStorefronts });
  const answering = new Set<Store>();
  /** When canaries were last empty. */
  const silentSince = new LRUCache<string, Date>({ max: maxStorefronts });
  /** The canary that was begun last. */
  const flights = new LRUCache<string, { key: string; begunAt: Date }>({ max: maxStorefronts });
  let begun = 0;

  async function ask(storefront: Storefront, prefix: string, options: Parameters<StoreSource['suggest']>[2]) {
    const answer = await source.suggest(storefront, prefix, options);
    if (answer.terms && answer.terms.length > 0) {
      canaries.set(storefrontKey(storefront), prefix);
      answering.add(storefront.store);
    }
    return answer;
  }

  /** Whether suggestions come at all, found out after the answer that was read at this moment. */
  async function isAnswering(storefront: Storefront, readAt: Date, options: ReadOptions): Promise<boolean> {
    const name = storefrontKey(storefront);
    const last = flights.get(name);
    const key = last && last.begunAt >= readAt ? last.key : `${name} ${begun++}`;
    try {
      return await readings.read(key, options, (shared) => {
        flights.set(name, { key, begunAt: now() });
        return askCanaries(storefront, shared);
      });
    } catch (error) {
      if (options.signal.aborted || !isStoreFailure(error)) throw error;
      return false;
    }
  }

  async function askCanaries(storefront: Storefront, options: ReadOptions): Promise<boolean> {
    const name = storefrontKey(storefront);
    const known = canaries.get(name);
    // A storefront that never had any, while others have, may really have none.
    const isExpected = known !== undefined || !answering.has(storefront.store);
    try {
      for (const canary of new Set([known ?? firstCanary, firstCanary])) {
        const isCanary = isExpected && canary === firstCanary;
        const { terms } = await ask(storefront, canary, { ...options, isCanary });
        if (terms && terms.length > 0) return true;
      }
    } catch (error) {
      if (isStoreFailure(error) && isThrottled(error.cause)) silentSince.set(name, now());
      throw error;
    }
    silentSince.set(name, now());
    return false;
  }

  function isSilent(storefront: Storefront): boolean {
    const since = silentSince.get(storefrontKey(storefront));
    const ms = since ? now().getTime() - since.getTime() : -1;
    return ms >= 0 && ms < silenceMs;
  }

  return {
    ...source,
    async suggest(storefront, prefix, options) {
      const unknown = (): Suggestions => ({ readAt: now(), source: sources[storefront.store], terms: null });
      if (!isAsked(storefront, prefix)) return source.suggest(storefront, prefix, options);
      if (isSilent(storefront)) return unknown();
      try {
        const answer = await ask(storefront, prefix, options);
        if (answer.terms === null || answer.terms.length > 0) return answer;
        return (await isAnswering(storefront, answer.readAt, options)) ? answer : { ...answer, terms: null };
      } catch (error) {
        if (isStoreFailure(error) && isRestOfThrottled(error.cause)) return unknown();
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
function isRestOfThrottled(failure: unknown): boolean {
  return failure instanceof StoreFailure && failure.kind === 'resting' && isThrottled(failure.cause);
}
