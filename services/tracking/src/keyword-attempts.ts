import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { nextReading } from './domain/next-reading.ts';
import { keywordTracked, keywordUntracked } from './domain/tracking-events.ts';
import type { RankedMarket } from './page-writer.ts';
import { appNotTracked, capReached, sayCapReached } from './refusals.ts';
import type { Listing } from './stores/listing-store.ts';
import type { TrackedAppKey } from './stores/tracked-app-store.ts';
import { trackedByAccount } from './tracked-by-account.ts';
import type { TrackingParts } from './tracking-parts.ts';

const storeReadsAtOnce = 5;
/** Reading ends this long before the caller's deadline, so that what was read can be saved and told. */
const saveMs = 3000;

/** One keyword on its way through a call: out as soon as it has a problem, in once its market is read and saved. */
export type Attempt = { keyword: string; problem: string | null; market: RankedMarket | null };

/** What the keywords of a call are to be tracked for. `maxTracked` is the plan's cap, null without one. */
export type KeywordTarget = {
  app: TrackedAppKey;
  listing: Listing;
  storefront: Storefront;
  maxTracked: number | null;
};

/** The steps of tracking keywords; each takes all attempts and gives them back, some of them with a problem. */
export function createKeywordAttempts(parts: TrackingParts, target: KeywordTarget, call: CallContext) {
  const { markets, trackedApps, trackedKeywords, snapshotTaker, locks, now, wake } = parts;
  const { app, storefront, maxTracked } = target;

  /** Changes nothing for a keyword that is tracked already, and spares the store its reading. */
  async function refuseTracked(attempts: readonly Attempt[]): Promise<Attempt[]> {
    const known = await markets.findIds(
      storefront,
      attempts.filter(isIn).map(({ keyword }) => keyword),
    );
    const ids = known.map(({ _id }) => _id);
    const tracked = new Set(await trackedKeywords.findActive(app.account_id, app.listing_id, ids));
    const names = new Set(known.filter(({ _id }) => tracked.has(_id)).map(({ keyword }) => keyword));
    return attempts.map((attempt) =>
      isIn(attempt) && names.has(attempt.keyword) ? refuse(attempt, alreadyTracked) : attempt,
    );
  }

  /** Nothing would fit: then the call itself is refused. @throws PLAN_LIMIT */
  async function refuseWithoutRoom(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.some(isIn) && (await countRoom()) <= 0) throw capReached(trackedKeyword, maxTracked ?? 0);
  }

  /** How many more keywords the plan allows. */
  async function countRoom(): Promise<number> {
    if (maxTracked === null) return Number.POSITIVE_INFINITY;
    return maxTracked - (await trackedKeywords.count(await trackedByAccount(parts, app.account_id)));
  }

  /** Lets the first ones through, as many as the plan has room for. */
  async function refuseOverCap(attempts: readonly Attempt[]): Promise<Attempt[]> {
    if (maxTracked === null) return [...attempts];
    let room = await countRoom();
    return attempts.map((attempt) =>
      isIn(attempt) && room-- <= 0 ? refuse(attempt, sayCapReached(trackedKeyword, maxTracked)) : attempt,
    );
  }

  /**
   * Ids are taken before the store is read, so that they follow the order sent, whichever page comes first; those of
   * markets that exist, or that could not be read, leave a gap.
   */
  async function readRanks(attempts: readonly Attempt[]): Promise<Attempt[]> {
    const asked = attempts.filter(isIn);
    if (asked.length === 0) return [...attempts];
    const firstId = await markets.takeIds(asked.length);
    const patience = AbortSignal.timeout(Math.max(0, call.deadline.getTime() - saveMs - Date.now()));
    const signal = AbortSignal.any([call.signal, patience]);
    return mapLimited(attempts, storeReadsAtOnce, async (attempt) => {
      if (!isIn(attempt)) return attempt;
      try {
        const { requestId } = call;
        const wanted = { keyword: attempt.keyword, newId: firstId + asked.indexOf(attempt) };
        return {
          ...attempt,
          market: await snapshotTaker.takeToday(storefront, wanted, { requestId, signal }),
        };
      } catch (error) {
        if (signal.aborted) return refuse(attempt, outOfTime);
        if (error instanceof AppError && error.code !== 'INTERNAL_ERROR')
          return refuse(attempt, error.message);
        throw error;
      }
    });
  }

  /** Alone for its account, so that the cap and the app still are what they were found to be. */
  function save(attempts: readonly Attempt[]): Promise<Attempt[]> {
    return locks.withLock(app.account_id, async () => {
      if (!(await trackedApps.isActive(app))) throw appNotTracked();
      const allowed = await refuseOverCap(attempts);
      await watch(allowed);
      const saved = await Promise.all(allowed.map(saveOne));
      if (saved.some(isIn)) wake();
      if (!(await trackedApps.isActive(app))) await undo(saved);
      return saved;
    });
  }

  /**
   * Before the rows, so that the daily run reads each market that somebody tracks, whatever ends this call in between.
   * It stops reading a market only when there is no row for it and nobody said an hour before that there will be.
   */
  async function watch(attempts: readonly Attempt[]): Promise<void> {
    const at = now();
    const watched = attempts.flatMap((attempt) =>
      isIn(attempt) && attempt.market ? [plannedMarket(attempt.market, at)] : [],
    );
    if (watched.length > 0) await markets.watch(watched, at);
  }

  async function saveOne(attempt: Attempt): Promise<Attempt> {
    if (!isIn(attempt) || attempt.market === null) return attempt;
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

  /** Another process removed the app meanwhile; its sweep may have missed what was written just now. */
  async function undo(saved: readonly Attempt[]): Promise<never> {
    const change = { at: now(), requestId: call.requestId };
    for (const { problem, market } of saved) {
      if (problem !== null || market === null) continue;
      const key = { ...app, keyword_id: market._id };
      await trackedKeywords.untrack(
        key,
        change.at,
        keywordUntracked(
          { account_id: key.account_id, keyword_id: key.keyword_id, app_id: key.listing_id },
          change,
        ),
      );
    }
    wake();
    throw appNotTracked();
  }

  return { refuseTracked, refuseWithoutRoom, refuseOverCap, readRanks, save };
}

const alreadyTracked = 'It is tracked for this application already.';
const trackedKeyword = 'tracked keyword';
const outOfTime = 'The store was not read in the time that this call had. Send it again.';

function plannedMarket({ _id: id, latest }: RankedMarket, at: Date) {
  return { id, plannedAt: nextReading(id, latest.day, utcDay(at)) };
}

function isIn(attempt: Attempt): boolean {
  return attempt.problem === null;
}

function refuse({ keyword }: Attempt, problem: string): Attempt {
  return { keyword, problem, market: null };
}
