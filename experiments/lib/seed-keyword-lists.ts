import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import type { Connection } from 'mongoose';

/** The largest page of a keyword list. */
const rowsPerAccount = 1000;
/** Accounts share keywords, as in production. */
const maxKeywords = 100_000;
const rowsPerWrite = 1000;
const pageSize = 100;

/**
 * Fills tracking's database with `rows` tracked keywords in lists of 1,000: one list for each given account, the rest
 * for other accounts. The collections and indexes must exist.
 */
export async function seedKeywordLists(
  connection: Connection,
  options: {
    rows: number;
    accountIds: readonly string[];
    listingId: number;
    appId: string;
    storefront: Storefront;
  },
  now: Date,
): Promise<void> {
  const { rows, listingId, appId, storefront } = options;
  const insert = async (collection: string, documents: readonly object[]) => {
    await connection.collection(collection).insertMany([...documents], { ordered: false });
  };
  const insertInBatches = async (
    collection: string,
    count: number,
    toDocument: (index: number) => object,
  ) => {
    for (let start = 0; start < count; start += rowsPerWrite) {
      const length = Math.min(rowsPerWrite, count - start);
      await insert(
        collection,
        Array.from({ length }, (_, index) => toDocument(start + index)),
      );
    }
  };
  const keywordCount = Math.min(rows, maxKeywords);
  const firstKeywordId = 1_000_000;
  const page = (index: number) =>
    Array.from({ length: pageSize }, (_, place) => (place === index % pageSize ? appId : `seed.${place}`));
  const keyword = (index: number) => `seeded keyword ${String(index).padStart(7, '0')}`;

  await insertInBatches('ranked_apps', pageSize, (place) => ({
    _id: `${storefrontKey(storefront)}:seed.${place}`,
    title: `App ${place}`,
    icon: '',
  }));
  await insertInBatches('markets', keywordCount, (index) => ({
    _id: firstKeywordId + index,
    keyword: keyword(index),
    ...storefront,
    watchers: 1,
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
  await insertInBatches('tracked_keywords', rows, (index) => {
    const account = Math.floor(index / rowsPerAccount);
    return {
      account_id: options.accountIds[account] ?? `seed-${account}`,
      listing_id: listingId,
      keyword_id: firstKeywordId + (index % keywordCount),
      keyword: keyword(index % keywordCount),
      active: true,
      favorite_order: 1,
      tracked_since: now,
      removed_at: null,
    };
  });
}
