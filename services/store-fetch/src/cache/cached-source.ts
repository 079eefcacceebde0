import { storefrontKey } from '@shelfwise/facts/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { ChartedApp, FoundApp, Reading, ReadOptions, StoreSource } from '../sources/source.ts';
import type { Shelf } from './answer-cache.ts';
import { type CachedDeps, createCachedListings, hourMs, later } from './cached-listings.ts';
import { createSharedReadings } from './shared-readings.ts';

/** `depth` is how many rows were asked for. */
type KeptPage<Row> = Reading & { depth: number; apps: Row[] };

const suggestionsMs = 24 * hourMs;
/** The App Store tells scores in a second answer. Without it a chart stands, but not for long. */
const scorelessChartMs = 5 * 60_000;

/** A snapshot's depth, so that ranks and whatever else reads the market share one page; it weighs half of 200 rows. */
const searchDepth = 100;
const maxDepth = 200;

/**
 * A live source that asks the store once for what is asked often: answers are kept for as long as they are good, and
 * equal questions at the same time are one. Failures are never kept.
 */
export function createCachedSource(deps: Omit<CachedDeps, 'readings'>): StoreSource {
  const { source, kept, now, onLookUp } = deps;
  const readings = createSharedReadings();
  const pages = kept.shelf<KeptPage<FoundApp>>('search');
  const suggestions = kept.shelf<Reading & { terms: string[] | null }>('suggest');
  const charts = kept.shelf<KeptPage<ChartedApp>>('chart');

  /** What is kept, if it will do; else the store's answer, read once for all who want it now. */
  async function recall<Answer>(question: {
    kind: 'search' | 'suggest' | 'chart';
    shelf: Shelf<Answer>;
    key: string;
    willDo?: (answer: Answer) => boolean;
    /** Beside the key, what makes two questions at the same time one. */
    variant?: number;
    options: ReadOptions;
    read: (options: ReadOptions) => Promise<Answer>;
    /** Null: it is not kept. */
    goodUntil: (answer: Answer) => Date | null;
  }): Promise<Answer> {
    const { kind, shelf, key, willDo = () => true, variant = 0, options, read, goodUntil } = question;
    const found = shelf.find(key);
    const isHit = found !== undefined && willDo(found);
    onLookUp(kind, isHit);
    if (isHit) return found;
    // With the day: what was begun yesterday is yesterday's answer.
    return readings.read(`${kind} ${utcDay(now())} ${variant} ${key}`, options, async (shared) => {
      const answer = await read(shared);
      const until = goodUntil(answer);
      if (until) shelf.keep(key, answer, until);
      return answer;
    });
  }

  return {
    ...createCachedListings({ ...deps, readings }),

    async search(storefront, term, options) {
      // Another day's page is the sample's business.
      if (options.onDay !== null) return source.search(storefront, term, options);
      const { limit } = options;
      const depth = limit > searchDepth ? maxDepth : searchDepth;
      const page = await recall({
        kind: 'search',
        shelf: pages,
        key: JSON.stringify([storefrontKey(storefront), term]),
        variant: depth,
        willDo: isDeepEnough(depth),
        options,
        read: async (shared) => ({
          ...(await source.search(storefront, term, { ...shared, limit: depth, onDay: null })),
          depth,
        }),
        goodUntil: ({ readAt }) => endOfDay(readAt),
      });
      return firstRows(page, limit);
    },

    suggest: (storefront, prefix, options) =>
      recall({
        kind: 'suggest',
        shelf: suggestions,
        key: JSON.stringify([storefrontKey(storefront), prefix]),
        options,
        read: (shared) => source.suggest(storefront, prefix, shared),
        goodUntil: ({ readAt, terms }) => (terms === null ? null : later(readAt, suggestionsMs)),
      }),

    async chart(storefront, { category, collection, limit }, options) {
      if (options.onDay !== undefined)
        return source.chart(storefront, { category, collection, limit }, options);
      const page = await recall({
        kind: 'chart',
        shelf: charts,
        options,
        key: JSON.stringify([storefrontKey(storefront), category, collection]),
        read: async (shared) => ({
          ...(await source.chart(storefront, { category, collection, limit: maxDepth }, shared)),
          depth: maxDepth,
        }),
        goodUntil: ({ readAt, apps }) =>
          hasScores(apps) ? endOfDay(readAt) : earliest(later(readAt, scorelessChartMs), endOfDay(readAt)),
      });
      return firstRows(page, limit);
    },
  };
}

/** A page with fewer rows than were asked for has them all. */
function isDeepEnough(depth: number) {
  return (page: KeptPage<unknown>) => page.depth >= depth || page.apps.length < page.depth;
}

/** Apps that nobody has rated have none either: it cannot be told apart when they are all. */
function hasScores(apps: readonly ChartedApp[]): boolean {
  return apps.length === 0 || apps.some(({ score }) => score !== null);
}

function firstRows<Row>({ depth: _, apps, ...reading }: KeptPage<Row>, limit: number) {
  return { ...reading, apps: apps.slice(0, limit) };
}

function endOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1));
}

function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}
