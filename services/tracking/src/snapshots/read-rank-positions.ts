import { storefrontKey } from '@shelfwise/facts/stores/storefront';
import { neighborsOf, type RankedApp, rankOf } from '../domain/snapshot.ts';
import { hasSnapshot, type KeywordMarketStore, type RankedMarket } from '../stores/keyword-market-store.ts';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { RankedAppStore } from '../stores/ranked-app-store.ts';
import type { TrackedKeyword } from '../stores/tracked-keyword-store.ts';
import { lookUpIn, missingRecord } from '../tracking-errors.ts';

type Deps = { keywordMarkets: KeywordMarketStore; listings: ListingStore; rankedApps: RankedAppStore };

type MarketWithSnapshot = RankedMarket & { latest: NonNullable<RankedMarket['latest']> };

type RankRow = Pick<TrackedKeyword, 'listing_id' | 'keyword_id'>;

export type RankPosition<Row = RankRow> = {
  row: Row;
  /** An app at the top of its snapshot that is also a neighbor has the same title and icon there. */
  market: MarketWithSnapshot;
  listing: ListingName;
  /** 1 to 100; null when the app is not in the snapshot. */
  rank: number | null;
  /** The app one rank above; null at rank 1, and without a rank. */
  ahead: RankedApp | null;
  /** The app one rank below; null at the last rank, and without a rank. */
  behind: RankedApp | null;
};

/**
 * Reads the rank positions of many tracked keywords, in their order. Makes one query for the keyword markets, one for
 * the listings, and one per storefront for the neighbors, however many rows there are. Of a page only the identifiers of
 * the neighbors are created.
 * @throws INTERNAL_ERROR when a record is missing: a rank position is never incomplete
 */
export async function readRankPositions<Row extends RankRow>(
  deps: Deps,
  rows: readonly Row[],
): Promise<RankPosition<Row>[]> {
  const [markets, listings] = await Promise.all([
    deps.keywordMarkets.findMany(unique(rows.map((row) => row.keyword_id))),
    deps.listings.findNames(unique(rows.map((row) => row.listing_id))),
  ]);
  const marketOf = lookUpIn(markets, 'keyword market');
  const listingOf = lookUpIn(listings, 'listing');
  const ranks = rows.map((row) => {
    const market = marketOf(row.keyword_id);
    const listing = listingOf(row.listing_id);
    if (!hasSnapshot(market)) throw missingRecord(`the latest snapshot of keyword market ${market._id}`);
    const rank = rankOf(market.latest.app_ids, listing.app_id);
    const neighbors = neighborsOf(market.latest.app_ids, rank);
    return { row, market, storefront: storefrontKey(market), listing, rank, neighbors };
  });
  const findApp = await readNeighbors(deps, ranks);
  return ranks.map((ranked) => ({
    row: ranked.row,
    market: ranked.market,
    listing: ranked.listing,
    rank: ranked.rank,
    ahead: findApp(ranked, ranked.neighbors.ahead),
    behind: findApp(ranked, ranked.neighbors.behind),
  }));
}

type NeighborIds = {
  market: MarketWithSnapshot;
  /** The key of the market's storefront. */
  storefront: string;
  neighbors: ReturnType<typeof neighborsOf>;
};

/**
 * Reads the titles and icons of the neighbors below the top of their snapshot. Returns a look-up of all neighbors, by
 * store identifier.
 */
async function readNeighbors({ rankedApps }: Deps, ranks: readonly NeighborIds[]) {
  const groups = new Map<string, { market: MarketWithSnapshot; appIds: Set<string> }>();
  for (const { market, storefront, neighbors } of ranks) {
    const group = groups.get(storefront) ?? { market, appIds: new Set() };
    groups.set(storefront, group);
    for (const appId of [neighbors.ahead, neighbors.behind])
      if (appId !== null && !findInTop(market, appId)) group.appIds.add(appId);
  }
  const appsByStorefront = new Map<string, Map<string, RankedApp>>();
  await Promise.all(
    [...groups].map(async ([key, { market, appIds }]) =>
      appsByStorefront.set(key, await rankedApps.findMany(market, [...appIds])),
    ),
  );
  return ({ market, storefront }: NeighborIds, appId: string | null): RankedApp | null => {
    if (appId === null) return null;
    const app = findInTop(market, appId) ?? appsByStorefront.get(storefront)?.get(appId);
    if (!app) throw missingRecord(`ranked app ${storefront}:${appId}`);
    return app;
  };
}

function findInTop({ latest }: MarketWithSnapshot, appId: string): RankedApp | undefined {
  return latest.top.find((app) => app.app_id === appId);
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
