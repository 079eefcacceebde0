import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { FoundApp, Reading, ReadOptions } from '../source.ts';
import type { SearchTermStore } from '../stores/search-term-store.ts';
import { isSteady } from './belief-rule.ts';

/**
 * What a canary shows: `answered`: it has results; `empty`: it has none; `unknown`: it could not be read, or the
 * storefront has none.
 */
export type CanaryResult = 'answered' | 'empty' | 'unknown';

type Page = Reading & { apps: FoundApp[] };

export type CanaryDeps = {
  terms: Pick<SearchTermStore, 'listWithResults'>;
  /** A page as the store shows it now, never a cached one. */
  readPage(storefront: Storefront, term: string, options: ReadOptions): Promise<Page>;
  /** The name of the first app of the free chart; null when it has none. */
  readFirstOfChart(storefront: Storefront, options: ReadOptions): Promise<string | null>;
  now: () => Date;
  onCanary?: (storefront: Storefront, result: CanaryResult) => void;
};

/** Terms with results among which a canary is chosen. */
const candidates = 20;
const maxStorefronts = 2000;
/** The longest term of a search. */
const maxTermLength = 200;

/**
 * Reads canaries: terms of a storefront that had results yesterday or today, if possible ten or more, because a smaller page
 * may have become empty without a fault. Without one, the canary is the name of the first app of the free chart. A term whose
 * page was empty at the last look is none.
 */
export function createCanaries({ terms, readPage, readFirstOfChart, now, onCanary = () => {} }: CanaryDeps) {
  const checks = createSharedReadings();
  /** By storefront: when its latest check started, and the key of that check in `checks`. */
  const lastChecks = new LRUCache<string, { key: string; startedAt: Date }>({ max: maxStorefronts });
  /** By storefront: the terms whose looks wait for a canary. None of them is one. */
  const waiting = new Map<string, string[]>();
  let checkCount = 0;

  /** `isLeastRecent`: the canary is another one each time, because reading it makes it the most recent. */
  async function choose(
    storefront: Storefront,
    isLeastRecent: boolean,
    options: ReadOptions,
  ): Promise<string | null> {
    const since = new Date(startOfDay(utcDay(now())).getTime() - dayMs);
    const known = (await terms.listWithResults(storefront, since, candidates)).filter(
      ({ term, looks }) => looks.length === 0 && !waiting.get(storefrontKey(storefront))?.includes(term),
    );
    const steady = known.filter(({ last_size: lastSize }) => isSteady(lastSize));
    const canaries = steady.length > 0 ? steady : known;
    const chosen = isLeastRecent ? canaries.at(-1) : canaries[0];
    if (chosen) return chosen.term;
    const name = await readFirstOfChart(storefront, options);
    return name?.trim().slice(0, maxTermLength) || null;
  }

  async function read(
    storefront: Storefront,
    isLeastRecent: boolean,
    options: ReadOptions,
  ): Promise<CanaryResult> {
    const result = await tryRead(storefront, isLeastRecent, options);
    onCanary(storefront, result);
    return result;
  }

  async function tryRead(
    storefront: Storefront,
    isLeastRecent: boolean,
    options: ReadOptions,
  ): Promise<CanaryResult> {
    try {
      const term = await choose(storefront, isLeastRecent, options);
      if (term === null) return 'unknown';
      return (await readPage(storefront, term, options)).apps.length > 0 ? 'answered' : 'empty';
    } catch (error) {
      if (options.signal.aborted || !isStoreFetchFailed(error)) throw error;
      return 'unknown';
    }
  }

  return {
    /**
     * Reads a canary after a look at `term` that started at `readAt`. Looks at the same time share one: a call that started
     * at or after a look answers for it.
     */
    async check(
      storefront: Storefront,
      { term, readAt }: { term: string; readAt: Date },
      options: ReadOptions,
    ): Promise<CanaryResult> {
      const mapKey = storefrontKey(storefront);
      const last = lastChecks.get(mapKey);
      const key = last && last.startedAt >= readAt ? last.key : `${mapKey} ${checkCount++}`;
      waiting.set(mapKey, [...(waiting.get(mapKey) ?? []), term]);
      try {
        return await checks.read(key, options, (shared) => {
          lastChecks.set(mapKey, { key, startedAt: now() });
          return read(storefront, false, shared);
        });
      } finally {
        const others = (waiting.get(mapKey) ?? []).toSpliced((waiting.get(mapKey) ?? []).indexOf(term), 1);
        if (others.length > 0) waiting.set(mapKey, others);
        else waiting.delete(mapKey);
      }
    },

    /** Reads another canary each time. */
    probe: (storefront: Storefront, options: ReadOptions): Promise<CanaryResult> =>
      read(storefront, true, options),
  };
}

export function isStoreFetchFailed(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'STORE_FETCH_FAILED';
}
