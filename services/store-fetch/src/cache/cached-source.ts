import { storefrontKey } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { ChartedApp, FoundApp, Reading, ReadOptions, StoreSource } from '../source.ts';
import type { CacheSection } from './answer-cache.ts';
import { addMs, type CachedSourceDeps, createCachedListings, hourMs } from './cached-listings.ts';
import { createSharedReadings } from './shared-readings.ts';

/** `depth`: the number of rows requested from the store. */
type CachedPage<Row> = Reading & { depth: number; apps: Row[] };

const suggestionsTtlMs = 24 * hourMs;
/** Short, because the App Store's scores come from a second call (a look-up), which may have failed. */
const scorelessChartTtlMs = 5 * 60_000;

/**
 * Rows read for every search that requests no more: the depth of a snapshot, so that the daily run and all other
 * callers share one page. 200 rows would take twice the memory.
 */
const searchDepth = 100;
/** The highest `limit` of a search or chart. */
const maxDepth = 200;

/**
 * A live source with a cache: answers are cached until they expire, and equal requests at the same time share one
 * read. A store failure is never cached; that the store has no such app is, briefly.
 */
export function createCachedSource(deps: Omit<CachedSourceDeps, 'readings'>): StoreSource {
  const { source, cache, now, onCacheLookup } = deps;
  const readings = createSharedReadings();
  const pages = cache.section<CachedPage<FoundApp>>('search');
  const suggestions = cache.section<Reading & { terms: string[] | null }>('suggest');
  const charts = cache.section<CachedPage<ChartedApp>>('chart');

  /** The cached answer if it is usable; otherwise the store's answer, shared by all equal requests that wait for it. */
  async function readThrough<Answer>(request: {
    kind: 'search' | 'suggest' | 'chart';
    section: CacheSection<Answer>;
    key: string;
    isUsable?: (answer: Answer) => boolean;
    /** Requests with the same key and different variants share a cached answer, but not a read. */
    variant?: number;
    options: ReadOptions;
    read: (options: ReadOptions) => Promise<Answer>;
    /** Null: the answer is not cached. */
    expiresAt: (answer: Answer) => Date | null;
  }): Promise<Answer> {
    const { kind, section, key, isUsable = () => true, variant = 0, options, read, expiresAt } = request;
    const cached = section.get(key);
    const isHit = cached !== undefined && isUsable(cached);
    onCacheLookup(kind, isHit);
    if (isHit) return cached;
    // The day is part of the key, because a read that started yesterday returns yesterday's answer.
    return readings.read(`${kind} ${utcDay(now())} ${variant} ${key}`, options, async (shared) => {
      const answer = await read(shared);
      const until = expiresAt(answer);
      if (until) section.set(key, answer, until);
      return answer;
    });
  }

  return {
    ...createCachedListings({ ...deps, readings }),

    async search(storefront, term, options) {
      // Only the sample has other days; a live source rejects the request.
      if (options.onDay !== null) return source.search(storefront, term, options);
      const { limit } = options;
      const depth = limit > searchDepth ? maxDepth : searchDepth;
      const page = await readThrough({
        kind: 'search',
        section: pages,
        key: JSON.stringify([storefrontKey(storefront), term]),
        variant: depth,
        isUsable: isDeepEnough(depth),
        options,
        read: async (shared) => ({
          ...(await source.search(storefront, term, { ...shared, limit: depth, onDay: null })),
          depth,
        }),
        expiresAt: ({ readAt }) => endOfDay(readAt),
      });
      return firstRows(page, limit);
    },

    suggest: (storefront, prefix, options) =>
      readThrough({
        kind: 'suggest',
        section: suggestions,
        key: JSON.stringify([storefrontKey(storefront), prefix]),
        options,
        read: (shared) => source.suggest(storefront, prefix, shared),
        expiresAt: ({ readAt, terms }) => (terms === null ? null : addMs(readAt, suggestionsTtlMs)),
      }),

    async chart(storefront, { category, collection, limit }, options) {
      if (options.onDay !== undefined)
        return source.chart(storefront, { category, collection, limit }, options);
      const page = await readThrough({
        kind: 'chart',
        section: charts,
        options,
        key: JSON.stringify([storefrontKey(storefront), category, collection]),
        read: async (shared) => ({
          ...(await source.chart(storefront, { category, collection, limit: maxDepth }, shared)),
          depth: maxDepth,
        }),
        expiresAt: ({ readAt, apps }) =>
          hasScores(apps) ? endOfDay(readAt) : earliest(addMs(readAt, scorelessChartTtlMs), endOfDay(readAt)),
      });
      return firstRows(page, limit);
    },
  };
}

/** A page with fewer rows than requested is complete. */
function isDeepEnough(depth: number) {
  return (page: CachedPage<unknown>) => page.depth >= depth || page.apps.length < page.depth;
}

/**
 * False when no app has a score: the look-up of the scores may have failed, or the apps may have no ratings, which
 * looks the same. True for an empty chart.
 */
function hasScores(apps: readonly ChartedApp[]): boolean {
  return apps.length === 0 || apps.some(({ score }) => score !== null);
}

function firstRows<Row>({ depth: _, apps, ...reading }: CachedPage<Row>, limit: number) {
  return { ...reading, apps: apps.slice(0, limit) };
}

function endOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1));
}

function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}
