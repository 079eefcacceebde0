import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import type { Connection } from 'mongoose';

/** Above the ids that a small system takes. */
const firstCopyId = 1_000_000;
const snapshotDays = 400;

/**
 * Fills tracking's database with copies of a listing. Every account tracks `count` of them and has `count` as
 * competitors of the listing itself. All keyword markets of the first account get a snapshot of the day before the
 * latest one, and the first one gets 400 days of them.
 */
export async function seedAppLists(
  connection: Connection,
  options: { count: number; accountIds: readonly string[]; listingId: number },
  now: Date,
): Promise<void> {
  const { count, accountIds, listingId } = options;
  const { listings, keywordMarkets, trackedKeywords } = createStores(connection);
  const original = await listings.model.collection.findOne({ _id: listingId as never });
  const copies = Array.from({ length: count }, (_, index) => index);
  const row = { active: true, tracked_since: now, removed_at: null };
  await connection
    .collection('listings')
    .insertMany(
      copies.map((index) => ({ ...original, _id: (firstCopyId + index) as never, app_id: `copy.${index}` })),
    );
  for (const [place, accountId] of accountIds.entries()) {
    await connection
      .collection('tracked_apps')
      .insertMany(
        copies.map((index) => ({ account_id: accountId, listing_id: firstCopyId + index, ...row })),
      );
    await connection.collection('competitors').insertMany(
      copies.map((index) => ({
        _id: (firstCopyId + place * count + index) as never,
        account_id: accountId,
        listing_id: listingId,
        competitor_id: firstCopyId + index,
        ...row,
      })),
    );
  }

  const accountKeywords = { account_id: accountIds[0] ?? '', listing_id: listingId };
  const ids = (await trackedKeywords.listKeywords(accountKeywords)).map((keyword) => keyword.keyword_id);
  const markets = await keywordMarkets.model.find({ _id: { $in: ids } }).lean();
  const today = utcDay(now);
  const snapshotOf = (market: (typeof markets)[number], daysAgo: number) => {
    const day = daysBefore(today, daysAgo);
    const { taken_at, source, app_ids } = market.latest ?? { taken_at: now, source: 'sample', app_ids: [] };
    return { _id: `${market._id}:${day}` as never, keyword_id: market._id, day, taken_at, source, app_ids };
  };
  await connection.collection('snapshots').insertMany(markets.map((market) => snapshotOf(market, 1)));
  const oldest = markets.reduce((one, other) => (one._id < other._id ? other : one));
  const days = Array.from({ length: snapshotDays - 1 }, (_, index) => index + 2);
  await connection.collection('snapshots').insertMany(days.map((day) => snapshotOf(oldest, day)));
}
