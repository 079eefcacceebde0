import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import { topDepth } from '@shelfwise/tracking/domain/snapshot';
import type { KeywordMarket, KeywordMarketPlan } from '@shelfwise/tracking/stores/keyword-market-store';
import type { TrackedKeyword } from '@shelfwise/tracking/stores/tracked-keyword-store';
import { type Connection, Types } from 'mongoose';
import { insertDocuments } from './insert-documents.ts';

/** The largest page of a keyword list. */
const rowsPerAccount = 1000;
/** Accounts share keywords, as in production. */
const maxKeywords = 100_000;
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
  const { rankedApps, keywordMarkets, trackedKeywords } = createStores(connection);
  const keywordCount = Math.min(rows, maxKeywords);
  const firstKeywordId = await keywordMarkets.takeIds(keywordCount);
  const page = (index: number) =>
    Array.from({ length: pageSize }, (_, place) => (place === index % pageSize ? appId : `seed.${place}`));
  const keyword = (index: number) => `seeded keyword ${String(index).padStart(7, '0')}`;
  const toKeywordMarket = (index: number): KeywordMarket & Pick<KeywordMarketPlan, 'tracker_count'> => ({
    _id: firstKeywordId + index,
    keyword: keyword(index),
    ...storefront,
    tracker_count: 1,
    latest: {
      day: utcDay(now),
      taken_at: now,
      source: 'sample',
      app_ids: page(index),
      top: page(index)
        .slice(0, topDepth)
        .map((appId) => ({ app_id: appId, title: appId, icon: '', ratings: 1200 })),
    },
    scores: {
      difficulty: index % 101,
      traffic: (7 * index) % 101,
      scoring_version: 4,
      scored_at: now,
      is_partial: false,
    },
  });
  const toTrackedKeyword = (index: number): TrackedKeyword => {
    const account = Math.floor(index / rowsPerAccount);
    return {
      _id: new Types.ObjectId(),
      account_id: options.accountIds[account] ?? `seed-${account}`,
      listing_id: listingId,
      keyword_id: firstKeywordId + (index % keywordCount),
      keyword: keyword(index % keywordCount),
      active: true,
      favorite_order: 1,
      tracked_since: now,
      removed_at: null,
    };
  };

  const apps = Array.from({ length: pageSize }, (_, place) => ({
    app_id: `seed.${place}`,
    title: `App ${place}`,
    icon: '',
  }));
  await rankedApps.save([{ storefront, apps, isPast: false }]);
  const indexes = Array.from({ length: rows }, (_, index) => index);
  await insertDocuments(keywordMarkets.model, indexes.slice(0, keywordCount), toKeywordMarket);
  await insertDocuments(trackedKeywords.model, indexes, toTrackedKeyword);
}
