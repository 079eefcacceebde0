import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { TrackKeywordsReply, TrackKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkId } from '@shelfwise/runtime/check-request';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { CapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import { validateKeywords } from '../domain/validate-keywords.ts';
import { type Attempt, alreadyTracked, type Target, toResult } from '../keywords/keyword-attempt.ts';
import { requireRoom } from '../keywords/keyword-cap.ts';
import { writeTrackedKeywords } from '../keywords/write-tracked-keywords.ts';
import type { FindTrackedListing } from '../listings/find-tracked-listing.ts';
import type { ReadResultPage } from '../snapshots/read-result-page.ts';
import type { SaveResultPages } from '../snapshots/save-result-pages.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

const maxKeywords = 20;
/** The limit for a keyword as sent, in UTF-16 units: far above the limit of its normal form. */
export const maxSentLength = 1000;
const maxReadsAtOnce = 5;
/** Readings are aborted this long before the caller's deadline, to leave time for saving and answering. */
const saveMs = 3000;
export const outOfTime = 'The store could not be read before the call timed out. Send it again.';

export type TrackKeywordsDeps = {
  keywordMarkets: KeywordMarketStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  findTrackedListing: FindTrackedListing;
  readResultPage: Pick<ReadResultPage, 'forUser'>;
  saveResultPages: SaveResultPages;
  accountLocks: LocksByKey;
  capReservations: CapReservations;
  now: () => Date;
  sleep: Sleep;
  wakeRelay: WakeRelay;
  /** Pages that are read at the same time; default: 5. */
  readsAtOnce?: number;
};

/**
 * Tracks keywords for an app, each with a snapshot of today. A keyword that cannot be tracked gets its own error.
 * Results are in the order sent.
 * @throws APP_NOT_FOUND, INVALID_PARAMS; PLAN_LIMIT when the plan has no room for any keyword
 */
export async function trackKeywords(
  deps: TrackKeywordsDeps,
  request: TrackKeywordsRequest,
  call: CallContext,
): Promise<TrackKeywordsReply> {
  const keywords = checkKeywords(request.keywords);
  const target = await findTarget(deps, request);
  const attempts = validateKeywords(keywords, target.storefront.lang).map(
    (validated): Attempt => ({ ...validated, market: null, page: null, removedAt: null }),
  );
  const accepted = () => attempts.filter(({ problem }) => problem === null);

  await refuseTracked(deps, target, accepted());
  // Only to read no page in vain: the rows are counted again when they are written.
  if (unreadOf(deps, accepted()).length > 0) await requireRoom(deps, target, accepted());
  await readPages(deps, target, accepted(), call);
  await saveSnapshots(deps, target, accepted(), call);
  call.signal.throwIfAborted();
  await deps.accountLocks.withLock(target.app.account_id, () =>
    writeTrackedKeywords(deps, target, accepted(), call),
  );
  return { results: attempts.map((attempt) => toResult(attempt, target.listing)) };
}

function checkKeywords(keywords: readonly string[]): readonly string[] {
  if (keywords.length < 1 || keywords.length > maxKeywords)
    throw invalidParams({ keywords: `must hold 1 to ${maxKeywords} keywords` });
  if (keywords.some((keyword) => keyword.length > maxSentLength))
    throw invalidParams({ keywords: `each must have at most ${maxSentLength} characters` });
  return keywords;
}

/** @throws APP_NOT_FOUND; INVALID_PARAMS when the storefront is not the app's own */
async function findTarget(deps: TrackKeywordsDeps, request: TrackKeywordsRequest): Promise<Target> {
  const accountId = checkAccountId(request.account_id);
  const listingId = checkId('app_id', request.app_id);
  const storefront = checkStorefront(request.storefront);
  const maxTracked = checkCap('max_keywords', request.max_keywords);
  const app = { account_id: accountId, listing_id: listingId };
  const listing = await deps.findTrackedListing(app, storefront);
  return { app, listing, storefront, maxTracked };
}

/** Finds the existing keyword markets. Tracked keywords are refused, and so not read again. */
async function refuseTracked(
  { keywordMarkets, trackedKeywords }: TrackKeywordsDeps,
  { app, storefront }: Target,
  attempts: readonly Attempt[],
): Promise<void> {
  const keywords = attempts.map(({ keyword }) => keyword);
  const markets = await keywordMarkets.findByKeyword(storefront, keywords);
  const ids = [...markets.values()].map(({ _id }) => _id);
  const states = await trackedKeywords.findStates(app, ids);
  for (const attempt of attempts) {
    attempt.market = markets.get(attempt.keyword) ?? null;
    const state = attempt.market && states.get(attempt.market._id);
    if (state?.active) attempt.problem = alreadyTracked;
    else attempt.removedAt = state?.removed_at ?? null;
  }
}

/** Those without a snapshot of today, or with an empty one, which the store may have shown by mistake. */
function unreadOf({ now }: Pick<TrackKeywordsDeps, 'now'>, attempts: readonly Attempt[]): Attempt[] {
  const today = utcDay(now());
  return attempts.filter(
    ({ market }) => (market?.latest?.day ?? '') < today || market?.latest?.app_ids.length === 0,
  );
}

/** Reads the pages of keywords that need it (`unreadOf`). Refuses those that cannot be read in time. */
async function readPages(
  { readResultPage, now, sleep, readsAtOnce = maxReadsAtOnce }: TrackKeywordsDeps,
  { storefront }: Target,
  attempts: readonly Attempt[],
  call: CallContext,
): Promise<void> {
  const unread = unreadOf({ now }, attempts);
  const read = async (attempt: Attempt, signal: AbortSignal) => {
    try {
      const { requestId, callerId } = call;
      const latest = attempt.market?.latest;
      const hadResults = latest ? latest.app_ids.length > 0 : null;
      const options = { requestId, callerId, signal, hadResults };
      attempt.page = await readResultPage.forUser(storefront, attempt.keyword, options);
    } catch (error) {
      if (signal.aborted) attempt.problem = outOfTime;
      else if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') attempt.problem = error.message;
      else throw error;
    }
  };
  await withDeadline(call, { reserveMs: saveMs, error: new Error(outOfTime), sleep }, (signal) =>
    mapLimited(unread, readsAtOnce, (attempt) => read(attempt, signal)),
  );
}

/**
 * Saves the pages as snapshots, which belong to all accounts, also when the call was aborted meanwhile. New keyword
 * markets get their ids here, in the order sent, whichever page arrived first.
 */
async function saveSnapshots(
  { keywordMarkets, saveResultPages }: TrackKeywordsDeps,
  { storefront }: Target,
  attempts: readonly Attempt[],
  { requestId }: CallContext,
): Promise<void> {
  const added = attempts.flatMap(({ keyword, market, page }) =>
    market === null && page !== null ? [{ keyword, first_day: page.snapshot.day }] : [],
  );
  const created = await keywordMarkets.createMany(storefront, added);
  for (const attempt of attempts) attempt.market ??= created.get(attempt.keyword) ?? null;
  const read = attempts.flatMap((attempt) => {
    const { page, market } = attempt;
    return page && market ? [{ attempt, page, market }] : [];
  });
  if (read.length === 0) return;
  const saved = await saveResultPages(read.map(({ page, market }) => ({ ...page, market, requestId })));
  for (const [index, { attempt, market }] of read.entries()) {
    const outcome = saved[index];
    if (outcome?.status === 'rejected') throw outcome.reason;
    if (outcome) attempt.market = { ...market, latest: outcome.value };
  }
}
