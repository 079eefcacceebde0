import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { AccountLocks } from './account-locks.ts';
import { nextReading } from './domain/next-reading.ts';
import { keywordTracked, keywordUntracked } from './domain/tracking-events.ts';
import type { TakeSnapshot } from './snapshots/take-snapshot.ts';
import type { KeywordMarketStore, KeywordMarketWithSnapshot } from './stores/keyword-market-store.ts';
import type { Listing } from './stores/listing-store.ts';
import type { TrackedAppKey, TrackedAppStore } from './stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from './stores/tracked-keyword-store.ts';
import { appNotTracked, capReached, capReachedMessage } from './tracking-errors.ts';

const maxConcurrentReads = 5;
/** Readings are aborted this long before the caller's deadline, to leave time for saving and answering. */
const saveMs = 3000;

/**
 * One keyword of a call. `problem` tells the user why it is refused; null while it is accepted. `market` is null until
 * the snapshot of today is read and saved.
 */
export type Attempt = {
  keyword: string;
  problem: string | null;
  market: KeywordMarketWithSnapshot | null;
};

/** The application that a call tracks keywords for. `maxTracked` is the plan's cap; null when there is none. */
export type KeywordTarget = {
  app: TrackedAppKey;
  listing: Listing;
  storefront: Storefront;
  maxTracked: number | null;
};

export type KeywordAttemptsDeps = {
  keywordMarkets: KeywordMarketStore;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  takeSnapshot: Pick<TakeSnapshot, 'ofToday'>;
  accountLocks: AccountLocks;
  now: () => Date;
  /** Called after an event is written. */
  wakeRelay: () => void;
};

/**
 * The steps of tracking keywords, in the order of the returned object. Each step takes all attempts of a call and
 * returns them in the same order, some of them refused.
 */
export function createKeywordAttempts(deps: KeywordAttemptsDeps, target: KeywordTarget, call: CallContext) {
  const { keywordMarkets, trackedApps, trackedKeywords, takeSnapshot, accountLocks, now, wakeRelay } = deps;
  const { app, storefront, maxTracked } = target;

  /** Refuses keywords that are already tracked, so that they are not read again. */
  async function refuseTracked(attempts: readonly Attempt[]): Promise<Attempt[]> {
    const known = await keywordMarkets.findIds(
      storefront,
      attempts.filter(isAccepted).map(({ keyword }) => keyword),
    );
    const knownIds = known.map(({ _id }) => _id);
    const trackedIds = new Set(await trackedKeywords.findActive(app.account_id, app.listing_id, knownIds));
    const tracked = new Set(known.filter(({ _id }) => trackedIds.has(_id)).map(({ keyword }) => keyword));
    return attempts.map((attempt) =>
      isAccepted(attempt) && tracked.has(attempt.keyword) ? refuse(attempt, alreadyTracked) : attempt,
    );
  }

  /**
   * Refuses the whole call when the plan has no room for any keyword.
   * @throws PLAN_LIMIT
   */
  async function refuseWithoutRoom(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.some(isAccepted) && (await countRoom()) <= 0) throw capReached(cappedItem, maxTracked ?? 0);
  }

  /** The number of further keywords that the plan allows: infinite without a cap, negative after a change of plan. */
  async function countRoom(): Promise<number> {
    if (maxTracked === null) return Number.POSITIVE_INFINITY;
    return maxTracked - (await trackedKeywords.count(await trackedApps.selectTracked(app.account_id)));
  }

  /** Accepts the first keywords that fit into the plan and refuses the others. */
  async function refuseOverCap(attempts: readonly Attempt[]): Promise<Attempt[]> {
    if (maxTracked === null) return [...attempts];
    let room = await countRoom();
    return attempts.map((attempt) =>
      isAccepted(attempt) && room-- <= 0
        ? refuse(attempt, capReachedMessage(cappedItem, maxTracked))
        : attempt,
    );
  }

  /**
   * Sets `market` of each accepted attempt to the keyword market with today's snapshot; refuses those that could not be
   * read in time. An id is reserved for each keyword before the store is read, so that new ids follow the order sent,
   * whichever page arrives first. Ids of keywords that have one already, or could not be read, stay unused.
   */
  async function readRanks(attempts: readonly Attempt[]): Promise<Attempt[]> {
    const toRead = attempts.filter(isAccepted);
    if (toRead.length === 0) return [...attempts];
    const firstId = await keywordMarkets.takeIds(toRead.length);
    const timeout = AbortSignal.timeout(Math.max(0, call.deadline.getTime() - saveMs - Date.now()));
    const signal = AbortSignal.any([call.signal, timeout]);
    return mapLimited(attempts, maxConcurrentReads, async (attempt) => {
      if (!isAccepted(attempt)) return attempt;
      try {
        const { requestId } = call;
        const keywordToRead = { keyword: attempt.keyword, newId: firstId + toRead.indexOf(attempt) };
        const market = await takeSnapshot.ofToday(storefront, keywordToRead, { requestId, signal });
        return { ...attempt, market };
      } catch (error) {
        if (signal.aborted) return refuse(attempt, outOfTime);
        if (error instanceof AppError && error.code !== 'INTERNAL_ERROR')
          return refuse(attempt, error.message);
        throw error;
      }
    });
  }

  /**
   * Writes the rows of the accepted attempts. Checks again first, under the account's lock, so that no other call of
   * this process changes what was checked.
   * @throws APP_NOT_FOUND when the app was removed meanwhile
   */
  function save(attempts: readonly Attempt[]): Promise<Attempt[]> {
    return accountLocks.withLock(app.account_id, async () => {
      if (!(await trackedApps.isActive(app))) throw appNotTracked();
      const checked = await refuseOverCap(attempts);
      await addTrackers(checked);
      const saved = await Promise.all(checked.map(saveRow));
      if (saved.some(isAccepted)) wakeRelay();
      if (!(await trackedApps.isActive(app))) await undo(saved);
      return saved;
    });
  }

  /**
   * Adds the keywords to the daily run, before the rows are written: an interrupted call leaves no tracked keyword
   * outside the daily run.
   * The daily run stops reading a keyword only when it has no row and no call added a tracker within the last hour.
   */
  async function addTrackers(attempts: readonly Attempt[]): Promise<void> {
    const at = now();
    const added = attempts.flatMap((attempt) =>
      isAccepted(attempt) && attempt.market ? [planReading(attempt.market, at)] : [],
    );
    if (added.length > 0) await keywordMarkets.addTrackers(added, at);
  }

  async function saveRow(attempt: Attempt): Promise<Attempt> {
    if (!isAccepted(attempt) || attempt.market === null) return attempt;
    const { keyword, market } = attempt;
    const row = { ...app, keyword_id: market._id, keyword };
    const change = { at: now(), requestId: call.requestId };
    const event = keywordTracked(
      { account_id: app.account_id, keyword_id: market._id, keyword, storefront, app_id: app.listing_id },
      change,
    );
    const isNew = await trackedKeywords.track(row, change.at, event);
    return isNew ? attempt : refuse(attempt, alreadyTracked);
  }

  /**
   * Untracks the saved keywords again: another process removed the app meanwhile, and its removal may have missed the
   * new rows.
   * @throws APP_NOT_FOUND always
   */
  async function undo(saved: readonly Attempt[]): Promise<never> {
    const change = { at: now(), requestId: call.requestId };
    for (const { problem, market } of saved) {
      if (problem !== null || market === null) continue;
      const event = keywordUntracked(
        { account_id: app.account_id, keyword_id: market._id, app_id: app.listing_id },
        change,
      );
      await trackedKeywords.untrack({ ...app, keyword_id: market._id }, change.at, event);
    }
    wakeRelay();
    throw appNotTracked();
  }

  return { refuseTracked, refuseWithoutRoom, refuseOverCap, readRanks, save };
}

const alreadyTracked = 'This keyword is already tracked for this application.';
const cappedItem = 'tracked keyword';
const outOfTime = 'The store could not be read before the call timed out. Send it again.';

function planReading({ _id: id, latest }: KeywordMarketWithSnapshot, at: Date) {
  return { id, plannedAt: nextReading(id, latest.day, utcDay(at)) };
}

function isAccepted(attempt: Attempt): boolean {
  return attempt.problem === null;
}

function refuse({ keyword }: Attempt, problem: string): Attempt {
  return { keyword, problem, market: null };
}
