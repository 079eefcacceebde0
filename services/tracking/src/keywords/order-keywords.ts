import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { foldCase } from '@shelfwise/facts/text/literal-search';
import { daysBefore } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import { compareFavorites, compareNames, compareValues, type KeywordOrder } from '../domain/keyword-order.ts';
import { type RankOnDay, rankDelta } from '../domain/movers.ts';
import { readEarlierRanks, readLatestRanks } from '../snapshots/read-rank-changes.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type {
  IndexedOrder,
  KeywordFilter,
  OrderedKeyword,
  TrackedKeywordStore,
} from '../stores/tracked-keyword-store.ts';
import { lookUpIn, missingRecord } from '../tracking-errors.ts';

/**
 * The most rows that are ordered or filtered by what no index has, by what must be read for them. A list then takes
 * about 0.3 s of CPU at most: one account does not slow the others.
 */
const maxOrderedRows = { texts: 10_000, scores: 5_000, ranks: 4_000, deltas: 2_000 } as const;

/** What a list of keywords shows, and in which order. Null: no such condition. */
export type KeywordQuery = {
  filter: KeywordFilter;
  /** null: favorites first, then by keyword */
  order: KeywordOrder | null;
  /** A text that the keyword contains, in any letter case. */
  search: string | null;
  /** 0 to 100; keywords whose score is unknown are left out. */
  minTraffic: number | null;
  maxDifficulty: number | null;
  /** What an order by delta compares the latest snapshot with. */
  compared: Comparison;
};

/**
 * The newest snapshot that is at least `days` days older than the latest one, or only the one of exactly that day, and none
 * before `oldestDay` (YYYY-MM-DD).
 */
export type Comparison = { days: number; isExact: boolean; oldestDay: string };

/** The movement of a rank against the snapshot before; both null when there is none. `since`: its day. */
export type Movement = { delta: number | null; since: string | null };

/** A row of the list, with its movement when the list is ordered by it. */
export type FoundKeyword = { row: OrderedKeyword; movement?: Movement };

type Deps = {
  keywordMarkets: Pick<KeywordMarketStore, 'streamScores' | 'streamLatest'>;
  listings: Pick<ListingStore, 'findNames'>;
  snapshots: Pick<SnapshotStore, 'visitNewest'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listUnordered'>;
};

/** The order of the query, when an index alone serves it; null when all rows must be read. */
export function findIndexedOrder({
  order,
  search,
  minTraffic,
  maxDifficulty,
}: KeywordQuery): IndexedOrder | null {
  if (search !== null || minTraffic !== null || maxDifficulty !== null) return null;
  if (order === null) return 'favorites first';
  if (order.by !== 'keyword') return null;
  return order.isDescending ? 'by keyword, descending' : 'by keyword';
}

/**
 * All rows of a query that no index serves, in its order. Scores and ranks belong to shared keyword markets, which
 * change daily. An index could order copies in the rows of each account, at the cost of the daily writes of every
 * tracker.
 *
 * Cost: one query for the rows, one for scores, one for ranks, and one to nine for deltas (`readEarlierRanks`). Each
 * page costs as much as the whole list. A row costs about 30 µs of CPU on the embedded database, 55 with scores, 70
 * with ranks, 150 with deltas. Pages are read one after another; only numbers stay in memory.
 * @throws INVALID_PARAMS for more than `maxOrderedRows`; INTERNAL_ERROR when a record is missing
 */
export async function orderKeywords(
  deps: Deps,
  query: KeywordQuery,
  signal: AbortSignal,
): Promise<FoundKeyword[]> {
  const limit = findRowLimit(query);
  const all = await deps.trackedKeywords.listUnordered(query.filter, limit + 1);
  if (all.length > limit) throw tooManyRows(query, limit);
  signal.throwIfAborted();
  const named = filterByText(all, query.search);
  const scores = needsScores(query) ? await readScores(deps, named, signal) : new Map<number, Scores>();
  const rows = filterByScores(named, scores, query);

  const { order } = query;
  const isDescending = order?.isDescending ?? false;
  switch (order?.by) {
    case undefined:
      return rows.sort(compareFavorites).map((row) => ({ row }));
    case 'keyword':
      rows.sort(compareNames);
      return (isDescending ? rows.reverse() : rows).map((row) => ({ row }));
    case 'traffic':
    case 'difficulty': {
      const { by } = order;
      const scoreOf = (row: OrderedKeyword) => scores.get(row.keyword_id)?.[by] ?? null;
      return rows.sort(compareValues(scoreOf, isDescending)).map((row) => ({ row }));
    }
    case 'rank': {
      const ranks = await readRanks(deps, rows, signal);
      const rankOf = (row: OrderedKeyword) => ranks.latest.get(row)?.rank ?? null;
      return rows.sort(compareValues(rankOf, isDescending)).map((row) => ({ row }));
    }
    case 'delta': {
      const movements = await readMovements(deps, rows, query.compared, signal);
      const movementOf = (row: OrderedKeyword) => movements.get(row) ?? { delta: null, since: null };
      const compare = compareValues((row: OrderedKeyword) => movementOf(row).delta, isDescending);
      return rows.sort(compare).map((row) => ({ row, movement: movementOf(row) }));
    }
  }
}

function filterByText(rows: OrderedKeyword[], search: string | null): OrderedKeyword[] {
  if (search === null) return rows;
  // In the form in which keywords are kept: what looks the same finds the same.
  const folded = foldCase(normalizeKeyword(search));
  return rows.filter(({ keyword }) => foldCase(keyword).includes(folded));
}

type Scores = { traffic: number | null; difficulty: number | null };

const unmeasured: Scores = { traffic: null, difficulty: null };

function needsScores({ order, minTraffic, maxDifficulty }: KeywordQuery): boolean {
  const isByScore = order?.by === 'traffic' || order?.by === 'difficulty';
  return isByScore || minTraffic !== null || maxDifficulty !== null;
}

/** By keyword id. @throws INTERNAL_ERROR when a keyword market is missing */
async function readScores(
  { keywordMarkets }: Deps,
  rows: readonly OrderedKeyword[],
  signal: AbortSignal,
): Promise<Map<number, Scores>> {
  const ids = unique(rows.map((row) => row.keyword_id));
  const scores = new Map<number, Scores>();
  for await (const market of keywordMarkets.streamScores(ids)) {
    signal.throwIfAborted();
    scores.set(market._id, market.scores ?? unmeasured);
  }
  const missing = ids.find((id) => !scores.has(id));
  if (missing !== undefined) throw missingRecord(`keyword market ${missing}`);
  return scores;
}

function filterByScores(
  rows: OrderedKeyword[],
  scores: ReadonlyMap<number, Scores>,
  { minTraffic, maxDifficulty }: KeywordQuery,
): OrderedKeyword[] {
  if (minTraffic === null && maxDifficulty === null) return rows;
  return rows.filter((row) => {
    const { traffic, difficulty } = scores.get(row.keyword_id) ?? unmeasured;
    const hasTraffic = minTraffic === null || (traffic !== null && traffic >= minTraffic);
    return hasTraffic && (maxDifficulty === null || (difficulty !== null && difficulty <= maxDifficulty));
  });
}

type AppIdOf = (row: OrderedKeyword) => string;

/** The latest ranks, and the store identifiers of the rows' apps. @throws INTERNAL_ERROR when a record is missing */
async function readRanks(
  { keywordMarkets, listings }: Deps,
  rows: readonly OrderedKeyword[],
  signal: AbortSignal,
): Promise<{ latest: Map<OrderedKeyword, RankOnDay>; appIdOf: AppIdOf }> {
  const nameOf = lookUpIn(await listings.findNames(unique(rows.map((row) => row.listing_id))), 'listing');
  const appIdOf: AppIdOf = ({ listing_id: id }) => nameOf(id).app_id;
  const latest = await readLatestRanks({ keywordMarkets }, rows, appIdOf, signal);
  const missing = rows.find((row) => !latest.has(row));
  if (missing) throw missingRecord(`keyword market ${missing.keyword_id}`);
  return { latest, appIdOf };
}

/** Rows without a snapshot before the latest one are left out. */
async function readMovements(
  deps: Deps,
  rows: readonly OrderedKeyword[],
  { days, isExact, oldestDay }: Comparison,
  signal: AbortSignal,
): Promise<Map<OrderedKeyword, Movement>> {
  const { latest, appIdOf } = await readRanks(deps, rows, signal);
  const earlier = await readEarlierRanks(deps, latest, appIdOf, { days, oldestDay, signal });
  return new Map(
    [...earlier].flatMap(([row, from]): [OrderedKeyword, Movement][] => {
      const to = latest.get(row);
      if (!to || (isExact && from.day !== daysBefore(to.day, days))) return [];
      return [[row, { delta: rankDelta(from, to), since: from.day }]];
    }),
  );
}

function unique(values: readonly number[]): number[] {
  return [...new Set(values)];
}

function findRowLimit(query: KeywordQuery): number {
  if (query.order?.by === 'delta') return maxOrderedRows.deltas;
  if (query.order?.by === 'rank') return maxOrderedRows.ranks;
  return needsScores(query) ? maxOrderedRows.scores : maxOrderedRows.texts;
}

function tooManyRows({ filter, order, search, minTraffic }: KeywordQuery, limit: number) {
  const isOrdered = order !== null && order.by !== 'keyword';
  const field = isOrdered
    ? 'sort'
    : search !== null
      ? 'search'
      : minTraffic !== null
        ? 'min_traffic'
        : 'max_difficulty';
  const narrowing = typeof filter.listing_id === 'number' ? 'favorites' : 'app_id or favorites';
  return invalidParams({
    [field]: `works on lists of at most ${limit} keywords, before search and scores leave any out: narrow this one with ${narrowing}`,
  });
}
