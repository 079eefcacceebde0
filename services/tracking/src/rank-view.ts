import { storefrontKey } from '@shelfwise/facts/stores/storefront';
import { neighborsOf, type RankedApp, rankOf } from './domain/snapshot.ts';
import { isRanked, type RankedMarket } from './page-writer.ts';
import { unreadable } from './refusals.ts';
import type { ListingName } from './stores/listing-store.ts';
import type { TrackedKeyword } from './stores/tracked-keyword-store.ts';
import type { TrackingParts } from './tracking-parts.ts';

type RankRow = Pick<TrackedKeyword, 'listing_id' | 'keyword_id'>;

/** Where an app stands in the latest snapshot of a market. */
export type Standing = {
  market: RankedMarket;
  listing: ListingName;
  rank: number | null;
  ahead: RankedApp | null;
  behind: RankedApp | null;
};

/**
 * Reads what is needed for the ranks of many rows at once: one query for the markets, one for the listings, and one
 * per storefront for the neighbors.
 */
export async function createRankView(parts: TrackingParts, rows: readonly RankRow[]) {
  const [markets, listings] = await Promise.all([
    parts.markets.findMany(unique(rows.map(({ keyword_id: keywordId }) => keywordId))),
    parts.listings.findNames(unique(rows.map(({ listing_id: listingId }) => listingId))),
  ]);
  const marketById = new Map(markets.map((market) => [market._id, market]));
  const listingById = new Map(listings.map((listing) => [listing._id, listing]));

  function place(row: RankRow) {
    const market = marketById.get(row.keyword_id);
    const listing = listingById.get(row.listing_id);
    if (!market || !isRanked(market)) throw unreadable(`market ${row.keyword_id}`);
    if (!listing) throw unreadable(`listing ${row.listing_id}`);
    const rank = rankOf(market.latest.app_ids, listing.app_id);
    return { market, listing, rank, neighbors: neighborsOf(market.latest.app_ids, rank) };
  }

  const apps = await readNeighbors(parts, rows.map(place));

  return {
    /** @throws INTERNAL_ERROR when something is missing: a rank is never half an answer */
    read(row: RankRow): Standing {
      const { market, listing, rank, neighbors } = place(row);
      const show = (appId: string | null) => (appId === null ? null : apps.get(market, appId));
      return { market, listing, rank, ahead: show(neighbors.ahead), behind: show(neighbors.behind) };
    },
  };
}

type Place = { market: RankedMarket; neighbors: { ahead: string | null; behind: string | null } };

async function readNeighbors(parts: TrackingParts, places: readonly Place[]) {
  const wanted = new Map<string, { market: RankedMarket; appIds: Set<string> }>();
  for (const { market, neighbors } of places) {
    const group = wanted.get(storefrontKey(market)) ?? { market, appIds: new Set() };
    wanted.set(storefrontKey(market), group);
    for (const appId of [neighbors.ahead, neighbors.behind]) if (appId !== null) group.appIds.add(appId);
  }
  const known = new Map<string, Map<string, RankedApp>>();
  await Promise.all(
    [...wanted].map(async ([key, { market, appIds }]) =>
      known.set(key, await parts.rankedApps.findMany(market, [...appIds])),
    ),
  );
  return {
    get(market: RankedMarket, appId: string): RankedApp {
      const app = known.get(storefrontKey(market))?.get(appId);
      if (!app) throw unreadable(`ranked app ${storefrontKey(market)}:${appId}`);
      return app;
    },
  };
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
