import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { chartSchema, searchSchema, suggestSchema } from '../cache/answer-schemas.ts';
import { type CachedDeps, cached } from '../cache/cached.ts';
import { addMs, createCachedListings, hourMs } from '../cache/cached-listings.ts';
import { createSharedReadings } from '../cache/shared-readings.ts';
import { createRecoveryProbes } from '../empty-pages/recovery-probes.ts';
import type { StorefrontDoubt } from '../empty-pages/storefront-doubt.ts';
import { createVerifiedSearch, type VerifiedSearchDeps } from '../empty-pages/verified-search.ts';
import type { ChartedApp, ChartQuery, FoundPage, LiveStores, StoreReads } from '../source.ts';
import type { Clock } from '../store-health/clock.ts';
import { createVerifiedSuggest } from './verified-suggestions.ts';

const suggestionsTtlMs = 24 * hourMs;
/** Short, because a store that throttles some calls may have suggestions after all. */
const emptySuggestionsTtlMs = 10 * 60_000;
/**
 * Of an empty page, and of one that was read in a suspect storefront. Short, because the store may have shown it by mistake,
 * which a later read of the day disproves.
 */
const doubtfulSearchTtlMs = hourMs;
/** Short, because the App Store's scores come from a second call (a look-up), which may have failed. */
const scorelessChartTtlMs = 5 * 60_000;

/**
 * Rows of every search that requests no more: the depth of a snapshot, so that the daily run and all others share one
 * page. 200 rows would take twice the memory.
 */
const searchDepth = 100;
/** The highest `limit` of a search or chart. */
const maxDepth = 200;

/** What it takes to check empty result pages. */
export type EmptyPageDeps = Pick<VerifiedSearchDeps, 'terms' | 'onEmptyPage' | 'onCanary'> & {
  doubt: StorefrontDoubt;
  clock: Clock;
};

type LiveSourceDeps = Omit<CachedDeps, 'readings'> & {
  stores: LiveStores;
  /** Null: every empty result page is believed. */
  emptyPages: EmptyPageDeps | null;
};

/**
 * The live stores with a cache. Each storefront is read from its own store, and equal requests at the same time share
 * one read. A store failure is never cached; that the store has no such app is, briefly. `stop` ends the probes of
 * suspect storefronts.
 */
export function createLiveSource(deps: LiveSourceDeps): StoreReads & { stop(): void } {
  const { stores, now, emptyPages } = deps;
  const cachedDeps = { ...deps, readings: createSharedReadings() };

  const searchPage = cached(cachedDeps, {
    kind: 'search',
    schema: searchSchema,
    keyOf: ({ storefront, term }: SearchQuery) => [storefrontKey(storefront), term],
    // A read that began before `freshSince` is too old.
    variantOf: ({ depth, hadResults, freshSince }) =>
      freshSince ? `${depth} ${freshSince.getTime()}` : hadResults ? depth + 0.5 : depth,
    isUsable: (found, query) =>
      isDeepEnough(found, query) && isFresh(found, query) && !isDoubted(found, query),
    read: async ({ storefront, term, depth, hadResults }, options) => {
      const searchOptions = { ...options, limit: depth };
      if (verified) {
        const page = await verified.search(storefront, term, { ...searchOptions, hadResults });
        return { depth, page };
      }
      const page = await stores[storefront.store].search(storefront, term, searchOptions);
      return { depth, page: { ...page, isSuspect: false } };
    },
    expiresAt: ({ page }) =>
      page.apps.length > 0 && !page.isSuspect
        ? endOfDay(page.readAt)
        : earliest(addMs(page.readAt, doubtfulSearchTtlMs), endOfDay(page.readAt)),
  });

  /** An empty page that was believed before the storefront became suspect is read again. */
  function isDoubted({ page }: SearchPage, { storefront }: SearchQuery): boolean {
    return page.apps.length === 0 && emptyPages?.doubt.isKnownSuspect(storefront) === true;
  }

  const verifiedSuggest = createVerifiedSuggest({ stores, now });
  const suggest = cached(cachedDeps, {
    kind: 'suggest',
    schema: suggestSchema,
    keyOf: ({ storefront, prefix }: SuggestQuery) => [storefrontKey(storefront), prefix],
    variantOf: ({ isThorough }) => (isThorough ? 1 : 0),
    isUsable: (answer: SuggestAnswer, query) =>
      answer.terms?.length !== 0 || answer.isThorough || !query.isThorough,
    read: async ({ storefront, prefix, isThorough }, options) => {
      const answer = await verifiedSuggest(storefront, prefix, { ...options, isThorough });
      return { ...answer, isThorough };
    },
    expiresAt: ({ readAt, terms }) => {
      if (terms === null) return null;
      return addMs(readAt, terms.length > 0 ? suggestionsTtlMs : emptySuggestionsTtlMs);
    },
  });

  const chartPage = cached(cachedDeps, {
    kind: 'chart',
    schema: chartSchema,
    keyOf: ({ storefront, category, collection }: ChartQuery & { storefront: Storefront }) => [
      storefrontKey(storefront),
      category,
      collection,
    ],
    read: ({ storefront, ...query }, options) =>
      stores[storefront.store].chart(storefront, { ...query, limit: maxDepth }, options),
    expiresAt: ({ readAt, apps }) =>
      hasScores(apps) ? endOfDay(readAt) : earliest(addMs(readAt, scorelessChartTtlMs), endOfDay(readAt)),
  });

  const source: StoreReads = {
    ...createCachedListings({ ...cachedDeps, stores }),

    async search(storefront, term, { limit, onDay, hadResults = null, freshSince = null, ...options }) {
      refusePastDay(onDay);
      const depth = limit > searchDepth ? maxDepth : searchDepth;
      const { page } = await searchPage({ storefront, term, depth, hadResults, freshSince }, options);
      return firstRows(page, limit);
    },

    suggest: (storefront, prefix, { isThorough = false, ...options }) =>
      suggest({ storefront, prefix, isThorough }, options),

    async chart(storefront, { category, collection, limit }, { onDay = null, ...options }) {
      refusePastDay(onDay);
      return firstRows(await chartPage({ storefront, category, collection }, options), limit);
    },
  };

  const { suggest: suggestTerms, chart } = source;
  const verified =
    emptyPages && createVerifiedSearch({ ...emptyPages, stores, now, suggest: suggestTerms, chart });
  const probes = emptyPages && verified && createRecoveryProbes({ ...emptyPages, probe: verified.probe });
  return { ...source, stop: () => probes?.stop() };
}

/** `depth`: the number of rows requested from the store. `hadResults`, `freshSince`: as in `StoreSource`. */
type SearchQuery = {
  storefront: Storefront;
  term: string;
  depth: number;
  hadResults: boolean | null;
  freshSince: Date | null;
};
type SuggestQuery = { storefront: Storefront; prefix: string; isThorough: boolean };
/** An empty list that was looked at once does not serve a thorough read. */
type SuggestAnswer = Awaited<ReturnType<StoreReads['suggest']>> & Pick<SuggestQuery, 'isThorough'>;
type SearchPage = { depth: number; page: FoundPage };

/** A page with fewer rows than requested is complete. */
function isDeepEnough(found: SearchPage, { depth }: SearchQuery): boolean {
  return found.depth >= depth || found.page.apps.length < found.depth;
}

function isFresh({ page }: SearchPage, { freshSince }: SearchQuery): boolean {
  return freshSince === null || page.readAt >= freshSince;
}

/**
 * A live store has only the current day: a request for another day is never answered with today's page.
 * @throws INVALID_PARAMS unless `onDay` is null
 */
function refusePastDay(onDay: string | null): void {
  if (onDay !== null)
    throw invalidParams({ on_day: 'works on the sample only: a live store shows only the current day' });
}

/**
 * False when no app has a score: the look-up of the scores may have failed. Apps without ratings look the same. True
 * for an empty chart.
 */
function hasScores(apps: readonly ChartedApp[]): boolean {
  return apps.length === 0 || apps.some(({ score }) => score !== null);
}

function firstRows<Page extends { apps: unknown[] }>(page: Page, limit: number): Page {
  return { ...page, apps: page.apps.slice(0, limit) };
}

function endOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1));
}

function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}
