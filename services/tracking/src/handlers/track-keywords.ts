import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type {
  TrackKeywordResult,
  TrackKeywordsReply,
  TrackKeywordsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkId } from '@shelfwise/runtime/check-request';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { AccountLocks } from '../account-locks.ts';
import { nextReading } from '../domain/next-reading.ts';
import { rankInWords } from '../domain/rank-in-words.ts';
import { type ResultPage, rankOf } from '../domain/snapshot.ts';
import { keywordTracked, keywordUntracked } from '../domain/tracking-events.ts';
import { validateKeywords } from '../domain/validate-keywords.ts';
import type { FindTrackedListing } from '../listings/find-tracked-listing.ts';
import type { PlanPlaces } from '../plan-places.ts';
import type { ReadResultPage } from '../snapshots/read-result-page.ts';
import type { SaveResultPages } from '../snapshots/save-result-pages.ts';
import {
  hasSnapshot,
  type KeywordMarket,
  type KeywordMarketStore,
  type KeywordMarketWithSnapshot,
} from '../stores/keyword-market-store.ts';
import type { Listing } from '../stores/listing-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked, capReached, capReachedMessage, placeReservedMessage } from '../tracking-errors.ts';

const maxKeywords = 20;
/** The limit for a keyword as sent, in UTF-16 units: far above the limit of its normal form. */
const maxSentLength = 1000;
const maxConcurrentReads = 5;
/** Readings are aborted this long before the caller's deadline, to leave time for saving and answering. */
const saveMs = 3000;

type Deps = {
  keywordMarkets: KeywordMarketStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  findTrackedListing: FindTrackedListing;
  readResultPage: Pick<ReadResultPage, 'forUser'>;
  saveResultPages: SaveResultPages;
  accountLocks: AccountLocks;
  planPlaces: PlanPlaces;
  now: () => Date;
  /** Called after an event is written. */
  wakeRelay: () => void;
};

/** The application that a call tracks keywords for. `maxTracked` is the plan's cap; null when there is none. */
type Target = { app: TrackedAppKey; listing: Listing; storefront: Storefront; maxTracked: number | null };

/** One keyword of a call. Each step completes the accepted attempts or refuses some of them. */
type Attempt = {
  keyword: string;
  /** Tells the user why the keyword is refused; null while it is accepted. */
  problem: string | null;
  /** Null while no keyword market is known. */
  market: KeywordMarket | null;
  /** The page that this call has read; null while it has read none. */
  page: ResultPage | null;
};

/**
 * Tracks keywords for an app, each with a snapshot of today. A keyword that cannot be tracked gets its own error and
 * does not affect the others. Results are in the order sent.
 * @throws APP_NOT_FOUND, INVALID_PARAMS; PLAN_LIMIT when the plan has no room for any keyword
 */
export async function trackKeywords(
  deps: Deps,
  request: TrackKeywordsRequest,
  call: CallContext,
): Promise<TrackKeywordsReply> {
  const keywords = checkKeywords(request.keywords);
  const target = await findTarget(deps, request);
  const attempts = validateKeywords(keywords).map(
    (validated): Attempt => ({ ...validated, market: null, page: null }),
  );
  const accepted = () => attempts.filter(({ problem }) => problem === null);

  await refuseTracked(deps, target, accepted());
  await requireRoom(deps, target, accepted());
  await readPages(deps, target, accepted(), call);
  await saveSnapshots(deps, target, accepted(), call);
  call.signal.throwIfAborted();
  await deps.accountLocks.withLock(target.app.account_id, () => track(deps, target, accepted(), call));
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
async function findTarget(deps: Deps, request: TrackKeywordsRequest): Promise<Target> {
  const accountId = checkAccountId(request.account_id);
  const listingId = checkId('app_id', request.app_id);
  const storefront = checkStorefront(request.storefront);
  const maxTracked = checkCap('max_keywords', request.max_keywords);
  const app = { account_id: accountId, listing_id: listingId };
  return { app, listing: await deps.findTrackedListing(app, storefront), storefront, maxTracked };
}

/** Finds the keyword markets that exist. Refuses keywords that are already tracked, so that they are not read again. */
async function refuseTracked(
  { keywordMarkets, trackedKeywords }: Deps,
  { app, storefront }: Target,
  attempts: readonly Attempt[],
): Promise<void> {
  const keywords = attempts.map(({ keyword }) => keyword);
  const markets = await keywordMarkets.findByKeyword(storefront, keywords);
  const ids = [...markets.values()].map(({ _id }) => _id);
  const trackedIds = new Set(await trackedKeywords.findActive(app, ids));
  for (const attempt of attempts) {
    attempt.market = markets.get(attempt.keyword) ?? null;
    if (attempt.market && trackedIds.has(attempt.market._id)) attempt.problem = alreadyTracked;
  }
}

/**
 * Accepts the first keywords that fit into the plan, so that the others are not read.
 * @throws PLAN_LIMIT when none fits
 */
async function requireRoom(deps: Deps, target: Target, attempts: readonly Attempt[]): Promise<void> {
  await refuseOverCap(deps, target, attempts);
  const isFull = attempts.length > 0 && attempts.every(({ problem }) => problem !== null);
  if (isFull) throw capReached(cappedItem, target.maxTracked ?? 0);
}

async function refuseOverCap(
  deps: Deps,
  { app, maxTracked }: Target,
  attempts: readonly Attempt[],
): Promise<void> {
  if (maxTracked === null || attempts.length === 0) return;
  // More keywords are tracked than the cap allows after a change to a smaller plan.
  const room = Math.max(0, maxTracked - (await countTracked(deps, app)));
  for (const attempt of attempts.slice(room)) attempt.problem = capReachedMessage(cappedItem, maxTracked);
}

async function countTracked({ trackedApps, trackedKeywords }: Deps, app: TrackedAppKey): Promise<number> {
  return trackedKeywords.count(await trackedApps.selectTracked(app.account_id));
}

/** Reads the pages of the keywords without a snapshot of today. Refuses those that cannot be read in time. */
async function readPages(
  { readResultPage, now }: Deps,
  { storefront }: Target,
  attempts: readonly Attempt[],
  call: CallContext,
): Promise<void> {
  const today = utcDay(now());
  const unread = attempts.filter(({ market }) => (market?.latest?.day ?? '') < today);
  const read = async (attempt: Attempt, signal: AbortSignal) => {
    try {
      const { requestId, callerId } = call;
      const options = { requestId, callerId, signal };
      attempt.page = await readResultPage.forUser(storefront, attempt.keyword, options);
    } catch (error) {
      if (signal.aborted) attempt.problem = outOfTime;
      else if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') attempt.problem = error.message;
      else throw error;
    }
  };
  await withDeadline(call, { reserveMs: saveMs, error: new Error(outOfTime) }, (signal) =>
    mapLimited(unread, maxConcurrentReads, (attempt) => read(attempt, signal)),
  );
}

/**
 * Saves the pages as snapshots, which belong to all accounts, also when the call was aborted meanwhile. New keyword
 * markets get their ids here, in the order sent, whichever page arrived first.
 */
async function saveSnapshots(
  { keywordMarkets, saveResultPages }: Deps,
  { storefront }: Target,
  attempts: readonly Attempt[],
  { requestId }: CallContext,
): Promise<void> {
  const newKeywords = attempts.filter(({ market }) => market === null).map(({ keyword }) => keyword);
  const created = await keywordMarkets.createMany(storefront, newKeywords);
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

/**
 * Writes the rows of the accepted keywords, as many as the plan has room for.
 * @throws APP_NOT_FOUND when the app was removed meanwhile
 */
async function track(
  deps: Deps,
  target: Target,
  attempts: readonly Attempt[],
  { requestId, signal }: CallContext,
): Promise<void> {
  const { trackedApps, planPlaces } = deps;
  const { app, maxTracked } = target;
  if (!(await trackedApps.isActive(app))) throw appNotTracked();
  const ready = attempts.filter(isReady);
  if (ready.length === 0) return;
  const places = {
    accountId: app.account_id,
    item: 'keywords',
    cap: maxTracked,
    wanted: ready.length,
    countRows: () => countTracked(deps, app),
    signal,
  } as const;
  const { written, isFull } = await planPlaces.write(places, {
    async write(granted) {
      await writeRows(deps, target, ready.slice(0, granted), requestId);
      return granted;
    },
    undo: (granted) => untrack(deps, app, ready.slice(0, granted).filter(isReady).map(idOf), requestId),
  });
  await refuseRest(deps, target, ready.slice(written ?? 0), isFull);
}

/**
 * Refuses keywords for which there was no place: the cap is reached, perhaps by a call with the same keywords, or another
 * call has reserved the last places (`isFull` is false).
 */
async function refuseRest(
  { trackedKeywords }: Deps,
  { app, maxTracked }: Target,
  rest: readonly ReadyAttempt[],
  isFull: boolean,
): Promise<void> {
  const trackedIds = new Set(await trackedKeywords.findActive(app, rest.map(idOf)));
  for (const attempt of rest)
    if (trackedIds.has(idOf(attempt))) attempt.problem = alreadyTracked;
    else attempt.problem = isFull ? capReachedMessage(cappedItem, maxTracked ?? 0) : placeReservedMessage;
}

/**
 * Marks those that are tracked already.
 * @throws APP_NOT_FOUND when the app was removed meanwhile
 */
async function writeRows(
  deps: Deps,
  { app, storefront }: Target,
  ready: readonly ReadyAttempt[],
  requestId: string,
): Promise<void> {
  const { keywordMarkets, trackedApps, trackedKeywords, now, wakeRelay } = deps;
  const at = now();
  // Before the rows, so that an interrupted call leaves no tracked keyword outside the daily run. The daily run stops
  // reading a keyword only when it has no row and no call added a tracker within the last hour.
  const today = utcDay(at);
  await keywordMarkets.addTrackers(
    ready.map(({ market: { _id: id, latest } }) => ({ id, plannedAt: nextReading(id, latest.day, today) })),
    at,
  );
  const key = { account_id: app.account_id, app_id: app.listing_id };
  const rows = ready.map(({ keyword, market }) => {
    const row = { keyword_id: market._id, keyword };
    const eventAt = (at: Date) => keywordTracked({ ...key, ...row, storefront }, { at, requestId });
    return { ...row, eventAt };
  });
  const trackedIds = await trackedKeywords.trackMany(app, rows, at);
  for (const attempt of ready) if (!trackedIds.has(idOf(attempt))) attempt.problem = alreadyTracked;

  wakeRelay();
  if (await trackedApps.isActive(app)) return;
  // Another copy removed the app meanwhile, and its removal may have missed the new rows.
  await untrack(deps, app, [...trackedIds], requestId);
  throw appNotTracked();
}

async function untrack(
  { trackedKeywords, now, wakeRelay }: Deps,
  app: TrackedAppKey,
  keywordIds: readonly number[],
  requestId: string,
): Promise<void> {
  const { account_id: accountId, listing_id: appId } = app;
  for (const keywordId of keywordIds) {
    const row = { account_id: accountId, keyword_id: keywordId, app_id: appId };
    await trackedKeywords.untrack({ ...app, keyword_id: keywordId }, now(), (at) =>
      keywordUntracked(row, { at, requestId }),
    );
  }
  wakeRelay();
}

const alreadyTracked = 'This keyword is already tracked for this application.';
const cappedItem = 'tracked keyword';
const outOfTime = 'The store could not be read before the call timed out. Send it again.';

type ReadyAttempt = Attempt & { market: KeywordMarketWithSnapshot };

const idOf = ({ market }: ReadyAttempt) => market._id;

function isReady(attempt: Attempt): attempt is ReadyAttempt {
  return attempt.problem === null && attempt.market !== null && hasSnapshot(attempt.market);
}

function toResult(attempt: Attempt, listing: Listing): TrackKeywordResult {
  const { keyword, problem } = attempt;
  if (!isReady(attempt))
    return { keyword, outcome: { $case: 'error', value: problem ?? 'It could not be tracked. Try again.' } };
  const { app_ids: appIds } = attempt.market.latest;
  const rank = rankOf(appIds, listing.app_id);
  const success = rankInWords({ title: listing.title, keyword, rank, depth: appIds.length });
  return { keyword, outcome: { $case: 'success', value: success } };
}
