import type {
  GetRankDistributionReply,
  GetRankDistributionRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { daysInWindow } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { distributeRanks, findTrackedDays } from '../domain/rank-distribution.ts';
import { rankOf } from '../domain/snapshot.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked, missingRecord } from '../tracking-errors.ts';

/** The most pages that a call reads: one per keyword and day, from the first day on which one of them was tracked. */
const maxPages = 40_000;

type Deps = {
  trackedApps: Pick<TrackedAppStore, 'isActive'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listTrackedBetween'>;
  listings: Pick<ListingStore, 'findNames'>;
  keywordMarkets: Pick<KeywordMarketStore, 'streamScores'>;
  snapshots: Pick<SnapshotStore, 'readBetween'>;
};

/**
 * On each day of a window, how many of the keywords that the app tracked that day ranked where. Removed keywords count
 * until their removal.
 *
 * Cost: one query per collection; `maxPages` take up to 3 s of CPU on the embedded database (`readBetween`). Only the
 * ranks stay in memory.
 * @throws APP_NOT_FOUND; INVALID_PARAMS also for more than `maxPages`
 */
export async function getRankDistribution(
  { trackedApps, trackedKeywords, listings, keywordMarkets, snapshots }: Deps,
  request: GetRankDistributionRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<GetRankDistributionReply> {
  const app = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  const window = checkWindow(request.from, request.to);

  if (!(await trackedApps.isActive(app))) throw appNotTracked();
  const [[listing], periods] = await Promise.all([
    listings.findNames([app.listing_id]),
    trackedKeywords.listTrackedBetween(app, window, maxPages + 1),
  ]);
  if (!listing) throw missingRecord(`listing ${app.listing_id}`);
  const keywords = periods.flatMap((period) => {
    const tracked = findTrackedDays(period, window);
    return tracked ? [{ id: period.keyword_id, tracked }] : [];
  });
  const read = { from: findFirst(keywords.map(({ tracked }) => tracked.from)) ?? window.to, to: window.to };
  checkPages(keywords.length, daysInWindow(read.from, read.to));

  const ids = keywords.map(({ id }) => id);
  const traffic = new Map<number, number | null>();
  for await (const { _id, scores } of keywordMarkets.streamScores(ids)) {
    signal.throwIfAborted();
    traffic.set(_id, scores?.traffic ?? null);
  }
  const ranks = await snapshots.readBetween(ids, read, (appIds) => {
    signal.throwIfAborted();
    return rankOf(appIds, listing.app_id);
  });
  const ranked = keywords.map(({ id, tracked }) => ({
    tracked,
    traffic: traffic.get(id) ?? null,
    ranks: ranks.get(id) ?? new Map<string, number | null>(),
  }));
  return { app_title: listing.title, history: distributeRanks(ranked, read) };
}

function findFirst(days: readonly string[]): string | undefined {
  return days.reduce<string | undefined>(
    (first, day) => (first === undefined || day < first ? day : first),
    undefined,
  );
}

function checkPages(keywords: number, days: number): void {
  if (keywords * days > maxPages)
    throw invalidParams({
      from: `must be later: ${keywords} keywords times ${days} days are more than ${maxPages}`,
    });
}
