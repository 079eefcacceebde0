import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { createSharedReadings } from '../cache/shared-readings.ts';
import type { FoundApp, Reading, ReadOptions } from '../source.ts';
import type { SearchTerm, SearchTermStore } from '../stores/search-term-store.ts';
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
/** Small pages that this process remembers to have become empty. */
const maxEmptied = 5000;
const maxStorefronts = 2000;
const maxTermLength = 200;

/**
 * Reads canaries: terms of a storefront that had results yesterday or today, if possible ten or more. A smaller page
 * may become empty without a fault. Without one, the canary is the name of the first app of the free chart. A term
 * whose page was empty at the last look is none. Nor is a smaller page that was empty as a canary, until it has results
 * again. Otherwise one lost app would keep a small storefront suspect for days. Without a chart it is the last resort.
 */
export function createCanaries({ terms, readPage, readFirstOfChart, now, onCanary = () => {} }: CanaryDeps) {
  const checks = createSharedReadings();
  /** By storefront: when its latest check started, and the key of that check in `checks`. */
  const lastChecks = new LRUCache<string, { key: string; startedAt: Date }>({ max: maxStorefronts });
  /** By storefront: the terms whose looks wait for a canary. None of them is one. */
  const waiting = new Map<string, string[]>();
  /** By storefront and term: when a small page was empty as a canary. */
  const emptied = new LRUCache<string, Date>({ max: maxEmptied });
  let checkCount = 0;

  function isEmptied(storefront: Storefront, { term, results_at: resultsAt }: SearchTerm): boolean {
    const emptiedAt = emptied.get(emptiedKey(storefront, term));
    return emptiedAt !== undefined && (resultsAt === null || emptiedAt >= resultsAt);
  }

  /** `isLeastRecent`: the canary is another one each time, because reading it makes it the most recent. */
  async function choose(
    storefront: Storefront,
    isLeastRecent: boolean,
    options: ReadOptions,
  ): Promise<{ term: string; isSmall: boolean } | null> {
    const since = new Date(startOfDay(utcDay(now())).getTime() - dayMs);
    const known = (await terms.listWithResults(storefront, since, candidates)).filter(
      ({ term, looks }) => looks.length === 0 && !waiting.get(storefrontKey(storefront))?.includes(term),
    );
    const steady = known.filter(({ last_size: lastSize }) => isSteady(lastSize));
    const small = known.filter((each) => !isEmptied(storefront, each));
    const canaries = steady.length > 0 ? steady : small;
    const chosen = isLeastRecent ? canaries.at(-1) : canaries[0];
    if (chosen) return { term: chosen.term, isSmall: canaries === small };
    const name = await readFirstOfChart(storefront, options).catch((error: unknown) => {
      if (options.signal.aborted || !isStoreFetchFailed(error) || known.length === 0) throw error;
      return null;
    });
    const term = name?.trim().slice(0, maxTermLength) || known.at(-1)?.term;
    return term ? { term, isSmall: false } : null;
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
      const canary = await choose(storefront, isLeastRecent, options);
      if (canary === null) return 'unknown';
      const { apps, readAt } = await readPage(storefront, canary.term, options);
      if (apps.length > 0) return 'answered';
      if (canary.isSmall) emptied.set(emptiedKey(storefront, canary.term), readAt);
      return 'empty';
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

function emptiedKey(storefront: Storefront, term: string): string {
  return `${storefrontKey(storefront)} ${term}`;
}

export function isStoreFetchFailed(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'STORE_FETCH_FAILED';
}
