import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { dayMs, daysBefore, utcDay } from '@shelfwise/runtime/day';
import { trackingDatabase } from '@shelfwise/tracking/config';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import { topDepth } from '@shelfwise/tracking/domain/snapshot';
import { createPackPastDays } from '@shelfwise/tracking/snapshots/pack-past-days';
import type { KeywordMarket, KeywordMarketPlan } from '@shelfwise/tracking/stores/keyword-market-store';
import type { TrackedKeyword } from '@shelfwise/tracking/stores/tracked-keyword-store';
import { type Connection, Types } from 'mongoose';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { insertDocuments } from '../lib/insert-documents.ts';
import { openEmbeddedDatabase } from '../lib/open-embedded-database.ts';
import { appId, type Callers, storefront } from './on-sample.ts';
import { type PageOf, pageSize, seededKeyword } from './seeded-pages.ts';

/** The largest page of a keyword list. */
const mostRowsPerAccount = 1000;
const mostKeywords = 100_000;
/** Copies of a listing that every account tracks. */
const copyCount = 999;
/** Above the ids that a small system takes. */
const firstCopyId = 1_000_000;
const snapshotDays = 400;

type Lists = {
  /** Tracked keywords of all accounts. */
  rows: number;
  /** Also 999 copies of the app and as many competitors for each caller, and snapshots of earlier days. */
  hasApps?: boolean;
  rowsPerAccount?: number;
  /** Different ones: accounts share keywords, as in production. */
  keywords?: number;
  pageOf?: PageOf;
  /** For how many days they have been tracked. */
  trackedDays?: number;
};

type Seed = Required<Lists> & { accountIds: readonly string[]; listingId: number; now: Date };

/**
 * Every caller tracks one app and 1,000 keywords of it, and other accounts the rest. Returns the id of the app and that of the first
 * keyword; the others follow.
 */
export async function seedLists(
  { system }: SampleSystem,
  { apis, accountIds }: Callers,
  lists: Lists,
): Promise<{ listingId: number; firstKeywordId: number }> {
  let listingId = 0;
  for (const api of apis)
    listingId = (await api('POST', '/applications', { app_id: appId, ...storefront })).body.data.id;
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(trackingDatabase, 'sample'));
  const seed: Seed = {
    hasApps: false,
    rowsPerAccount: mostRowsPerAccount,
    keywords: mostKeywords,
    pageOf: pageWithApp,
    trackedDays: 0,
    ...lists,
    accountIds,
    listingId,
    now: new Date(),
  };
  const firstKeywordId = await seedKeywords(database, seed);
  if (seed.hasApps) await seedApps(database, seed);
  await database.close();
  return { listingId, firstKeywordId };
}

/** The app is on every page, each time at another rank. */
function pageWithApp(index: number): string[] {
  return Array.from({ length: pageSize }, (_, position) =>
    position === index % pageSize ? appId : `seed.${position}`,
  );
}

/** One list for each given account, the rest for other accounts. */
async function seedKeywords(connection: Connection, seed: Seed): Promise<number> {
  const { accountIds, listingId, now, rows, rowsPerAccount, pageOf } = seed;
  const { rankedApps, keywordMarkets, trackedKeywords } = createStores(connection);
  const keywordCount = Math.min(rows, seed.keywords);
  const firstKeywordId = await keywordMarkets.takeIds(keywordCount);
  const trackedSince = new Date(now.getTime() - seed.trackedDays * dayMs);
  const toKeywordMarket = (index: number): KeywordMarket & Pick<KeywordMarketPlan, 'tracker_count'> => ({
    _id: firstKeywordId + index,
    keyword: seededKeyword(index),
    ...storefront,
    tracker_count: 1,
    first_day: utcDay(now),
    latest: {
      day: utcDay(now),
      taken_at: now,
      source: 'sample',
      app_ids: pageOf(index),
      revision: 1,
      top: pageOf(index)
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
      account_id: accountIds[account] ?? `seed-${account}`,
      listing_id: listingId,
      keyword_id: firstKeywordId + (index % keywordCount),
      keyword: seededKeyword(index % keywordCount),
      active: true,
      favorite_order: 1,
      tracked_since: trackedSince,
      removed_at: null,
    };
  };

  const apps = Array.from({ length: pageSize }, (_, position) => ({
    app_id: `seed.${position}`,
    title: `App ${position}`,
    icon: '',
  }));
  await rankedApps.save([{ storefront, apps, isPast: false }]);
  const indexes = Array.from({ length: rows }, (_, index) => index);
  await insertDocuments(keywordMarkets.model, indexes.slice(0, keywordCount), toKeywordMarket);
  await insertDocuments(trackedKeywords.model, indexes, toTrackedKeyword);
  return firstKeywordId;
}

/**
 * All keyword markets of the first account get a snapshot of the day before the latest one, and one of them gets 400 days of
 * them, with packed months.
 */
async function seedApps(connection: Connection, { accountIds, listingId, now }: Seed): Promise<void> {
  const { listings } = createStores(connection);
  const original = await listings.model.collection.findOne({ _id: listingId as never });
  const copies = Array.from({ length: copyCount }, (_, index) => index);
  const row = { active: true, tracked_since: now, removed_at: null };
  await connection
    .collection('listings')
    .insertMany(
      copies.map((index) => ({ ...original, _id: (firstCopyId + index) as never, app_id: `copy.${index}` })),
    );
  for (const [position, accountId] of accountIds.entries()) {
    await connection
      .collection('tracked_apps')
      .insertMany(
        copies.map((index) => ({ account_id: accountId, listing_id: firstCopyId + index, ...row })),
      );
    await connection.collection('competitors').insertMany(
      copies.map((index) => ({
        _id: (firstCopyId + position * copyCount + index) as never,
        account_id: accountId,
        listing_id: listingId,
        competitor_id: firstCopyId + index,
        ...row,
      })),
    );
  }

  const account = { accountId: accountIds[0] ?? '', listingId };
  await seedSnapshots(connection, account, { days: 1, daysOfNewest: snapshotDays, now });
}

/** The page of an earlier day. */
type PageBefore = (page: string[], daysAgo: number) => string[];

/**
 * Each keyword market that the account tracks gets a snapshot for each of the `days` before today, with packed months.
 * @param pageBefore without it, no rank moves
 */
export async function seedHistory(
  { system }: SampleSystem,
  account: { accountId: string; listingId: number },
  days: number,
  pageBefore?: PageBefore,
): Promise<void> {
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(trackingDatabase, 'sample'));
  await seedSnapshots(database, account, { days, daysOfNewest: days, now: new Date(), pageBefore });
  await database.close();
}

/** All keyword markets of the account get snapshots of some days, and the newest one gets more days. */
async function seedSnapshots(
  connection: Connection,
  { accountId, listingId }: { accountId: string; listingId: number },
  {
    days,
    daysOfNewest,
    now,
    pageBefore = (page) => page,
  }: { days: number; daysOfNewest: number; now: Date; pageBefore?: PageBefore | undefined },
): Promise<void> {
  const { keywordMarkets, snapshots, trackedKeywords } = createStores(connection);
  const accountKeywords = { account_id: accountId, listing_id: listingId };
  const ids = (await trackedKeywords.listKeywords(accountKeywords)).map((keyword) => keyword.keyword_id);
  const markets = await keywordMarkets.model.find({ _id: { $in: ids } }).lean();
  const today = utcDay(now);
  const snapshotOf = (market: (typeof markets)[number], daysAgo: number) => {
    const day = daysBefore(today, daysAgo);
    const { taken_at, source, app_ids } = market.latest ?? { taken_at: now, source: 'sample', app_ids: [] };
    const page = { day, taken_at, source, app_ids: pageBefore(app_ids, daysAgo), revision: 1 };
    return { _id: `${market._id}:${day}`, keyword_id: market._id, ...page };
  };
  const newest = markets.reduce((one, other) => (one._id < other._id ? other : one));
  for (let daysAgo = 1; daysAgo <= daysOfNewest; daysAgo++)
    await insertDocuments(snapshots.model, daysAgo <= days ? markets : [newest], (market) =>
      snapshotOf(market, daysAgo),
    );
  // As tracking writes them: a comparison with an earlier day needs no query.
  const beginOn = (daysAgo: number, ids: readonly number[]) =>
    keywordMarkets.model.updateMany(
      { _id: { $in: ids } },
      { $set: { first_day: daysBefore(today, daysAgo) } },
    );
  await beginOn(days, ids);
  await beginOn(daysOfNewest, [newest._id]);
  await createPackPastDays({ snapshots, sleep: async () => {} })(now, new AbortController().signal);
}
