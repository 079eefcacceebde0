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
/** Readings end this long before the caller's deadline, to leave time for saving and answering. */
const saveMs = 3000;

/** One keyword of a call. `problem` is set once it is refused, `market` once its snapshot is read and saved. */
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

/** The steps of tracking keywords. Each step takes all attempts and returns them, some of them refused. */
export function createKeywordAttempts(deps: KeywordAttemptsDeps, target: KeywordTarget, call: CallContext) {
  const { keywordMarkets, trackedApps, trackedKeywords, takeSnapshot, accountLocks, now, wakeRelay } = deps;
  const { app, storefront, maxTracked } = target;

  /** Refuses keywords that are already tracked, so that they are not read again. */
  async function refuseTracked(attempts: readonly Attempt[]): Promise<Attempt[]> {
    const known = await keywordMarkets.findIds(
      storefront,
      attempts.filter(isAccepted).map(({ keyword }) => keyword),
    );
    const ids = known.map(({ _id }) => _id);
    const tracked = new Set(await trackedKeywords.findActive(app.account_id, app.listing_id, ids));
    const names = new Set(known.filter(({ _id }) => tracked.has(_id)).map(({ keyword }) => keyword));
    return attempts.map((attempt) =>
      isAccepted(attempt) && names.has(attempt.keyword) ? refuse(attempt, alreadyTracked) : attempt,
    );
  }

  /**
   * Refuses the whole call when the plan has no room for any keyword.
   * @throws PLAN_LIMIT
   */
  async function refuseWithoutRoom(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.some(isAccepted) && (await countRoom()) <= 0)
      throw capReached(trackedKeyword, maxTracked ?? 0);
  }

  /** The number of further keywords that the plan allows. */
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
        ? refuse(attempt, capReachedMessage(trackedKeyword, maxTracked))
        : attempt,
    );
  }

  /**
   * Ids are reserved before the store is read, so that they follow the order sent, whichever page arrives first.
   * Keywords that already have an id, or could not be read, leave gaps.
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
        const keyword = { keyword: attempt.keyword, newId: firstId + toRead.indexOf(attempt) };
        return { ...attempt, market: await takeSnapshot.ofToday(storefront, keyword, { requestId, signal }) };
      } catch (error) {
        if (signal.aborted) return refuse(attempt, outOfTime);
        if (error instanceof AppError && error.code !== 'INTERNAL_ERROR')
          return refuse(attempt, error.message);
        throw error;
      }
    });
  }

  /** Runs under the account's lock, so that the cap and the application cannot change after the checks. */
  function save(attempts: readonly Attempt[]): Promise<Attempt[]> {
    return accountLocks.withLock(app.account_id, async () => {
      if (!(await trackedApps.isActive(app))) throw appNotTracked();
      const allowed = await refuseOverCap(attempts);
      await addTrackers(allowed);
      const saved = await Promise.all(allowed.map(saveOne));
      if (saved.some(isAccepted)) wakeRelay();
      if (!(await trackedApps.isActive(app))) await undo(saved);
      return saved;
    });
  }

  /**
   * Runs before the rows are written, so that an interrupted call leaves no tracked keyword outside the daily run.
   * The daily run stops reading a keyword only when it has no row and no call added a tracker within the last hour.
   */
  async function addTrackers(attempts: readonly Attempt[]): Promise<void> {
    const at = now();
    const added = attempts.flatMap((attempt) =>
      isAccepted(attempt) && attempt.market ? [planReading(attempt.market, at)] : [],
    );
    if (added.length > 0) await keywordMarkets.addTrackers(added, at);
  }

  async function saveOne(attempt: Attempt): Promise<Attempt> {
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

  /** Another process removed the app meanwhile and may have missed the rows of this call. */
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

const alreadyTracked = 'It is already tracked for this application.';
const trackedKeyword = 'tracked keyword';
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
