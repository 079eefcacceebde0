import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { Connection } from 'mongoose';

/** How many keywords each account tracks: as many as one answer holds. */
const rowsPerAccount = 1000;
/** Keywords are shared by accounts, as they are in earnest. */
const mostMarkets = 100_000;
const rowsPerWrite = 1000;
const pageSize = 100;

/**
 * Fills tracking's database with lists of 1,000 keywords, as tracking itself would have left them: one for each of the
 * accounts given, the rest for accounts of nobody, `rows` in all. Its collections and indexes must be there.
 */
export async function seedKeywordLists(
  connection: Connection,
  wanted: {
    rows: number;
    accountIds: readonly string[];
    listingId: number;
    appId: string;
    market: Storefront;
  },
  now: Date,
): Promise<void> {
  const { rows, listingId, appId, market } = wanted;
  const insert = async (collection: string, documents: readonly object[]) => {
    await connection.collection(collection).insertMany([...documents], { ordered: false });
  };
  const inBatches = async (collection: string, count: number, toDocument: (index: number) => object) => {
    for (let start = 0; start < count; start += rowsPerWrite) {
      const length = Math.min(rowsPerWrite, count - start);
      await insert(
        collection,
        Array.from({ length }, (_, index) => toDocument(start + index)),
      );
    }
  };
  const markets = Math.min(rows, mostMarkets);
  const firstMarket = 1_000_000;
  const page = (index: number) =>
    Array.from({ length: pageSize }, (_, place) => (place === index % pageSize ? appId : `seed.${place}`));
  const keyword = (index: number) => `seeded keyword ${String(index).padStart(7, '0')}`;

  await inBatches('ranked_apps', pageSize, (place) => ({
    _id: `${storefrontKey(market)}:seed.${place}`,
    title: `App ${place}`,
    icon: '',
  }));
  await inBatches('keyword_markets', markets, (index) => ({
    _id: firstMarket + index,
    keyword: keyword(index),
    ...market,
    tracker_count: 1,
    latest: {
      day: utcDay(now),
      taken_at: now,
      source: 'sample',
      app_ids: page(index),
      top: page(index)
        .slice(0, 5)
        .map((appId) => ({ app_id: appId, title: appId, icon: '' })),
    },
  }));
  await inBatches('tracked_keywords', rows, (index) => {
    const account = Math.floor(index / rowsPerAccount);
    return {
      account_id: wanted.accountIds[account] ?? `nobody-${account}`,
      listing_id: listingId,
      keyword_id: firstMarket + (index % markets),
      keyword: keyword(index % markets),
      active: true,
      favorite_order: 1,
      tracked_since: now,
      removed_at: null,
    };
  });
}
