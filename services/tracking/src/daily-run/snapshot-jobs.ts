import { randomUUID } from 'node:crypto';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { utcDay } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import { nextReading } from '../domain/next-reading.ts';
import { dailyReadMs, type TakeSnapshot } from '../snapshots/take-snapshot.ts';
import type {
  DueKeywordMarket,
  DueKeywordMarketStore,
  KeywordMarketClaim,
} from '../stores/due-keyword-market-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

/** A keyword market that this copy has claimed. `claim` is unique to this claim. */
export type SnapshotJob = { market: DueKeywordMarket; claim: string };

/** A job waits for at most one other reading. A claim of a copy that crashed expires after this time. */
const claimMs = 180_000;
/** Time reserved for saving what was read. */
const saveMs = 15_000;
/**
 * Copies that claim at the same time choose the same jobs. A copy that gets none tries again, up to this many times.
 */
const claimTries = 5;
/**
 * A call that starts to track a keyword sets `last_tracked_at` before it writes the row, and takes at most a minute.
 * So readings of a keyword without rows end only when the last such call is an hour old: no row can follow then.
 */
const rowWithinMs = 3_600_000;
/** The maximum number of tracker counts that one claim looks at; the claim is then filled with the longest-due jobs. */
const stepsPerClaim = 100;
/** In a backlog, a keyword that becomes due waits at most this long until it takes its place by tracker count. */
const restartWalkMs = 60_000;
/** Higher than any tracker count. */
const anyTrackerCount = Number.MAX_SAFE_INTEGER;

/** The snapshots of one store's tracked keywords: one per UTC day, most-tracked first when there is no time for all. */
export function createSnapshotJobs(deps: {
  store: Store;
  dueKeywordMarkets: DueKeywordMarketStore;
  trackedKeywords: TrackedKeywordStore;
  takeSnapshot: Pick<TakeSnapshot, 'forDailyRun'>;
  now: () => Date;
  /** A random number from 0 to 1. */
  random: () => number;
}): JobSource<SnapshotJob> {
  const { store, dueKeywordMarkets, trackedKeywords, takeSnapshot, now, random } = deps;

  /** Where the next claim continues in a backlog: tracker counts from `below` up had nothing due. */
  let walk = { below: anyTrackerCount, startedAt: 0 };

  const later = (ms: number) => new Date(now().getTime() + ms);

  /**
   * If everything due fits, only the order matters. Otherwise chooses by tracker count. Failed keywords come last, so
   * that keywords that always fail do not block the others.
   */
  async function choose(count: number, at: Date, isTrial: boolean): Promise<DueKeywordMarket[]> {
    const oldest = await dueKeywordMarkets.listDue(store, at, count + 1);
    if (oldest.length <= count) return oldest.sort(byImportance);
    const chosen = isTrial
      ? await dueKeywordMarkets.listDueUnfailed(store, at, count)
      : await walkDown(count, at);
    const ids = new Set(chosen.map(({ _id }) => _id));
    const others = oldest.filter(({ _id }) => !ids.has(_id)).sort(byImportance);
    return [...chosen, ...others].slice(0, count);
  }

  /**
   * Chooses keywords that have not failed, most-tracked first, with two index look-ups per tracker count. A walk
   * continues where the last one ended and restarts at the top every minute, so that many tracker counts cost no more
   * than few.
   */
  async function walkDown(count: number, at: Date): Promise<DueKeywordMarket[]> {
    const sinceTop = at.getTime() - walk.startedAt;
    if (sinceTop < 0 || sinceTop >= restartWalkMs) walk = { below: anyTrackerCount, startedAt: at.getTime() };
    const chosen: DueKeywordMarket[] = [];
    for (let steps = 0; steps < stepsPerClaim && chosen.length < count; steps++) {
      const trackerCount = await dueKeywordMarkets.nextTrackerCount(store, walk.below);
      if (trackerCount === null) break;
      const missing = count - chosen.length;
      const found = await dueKeywordMarkets.listDueByTrackerCount(store, trackerCount, at, missing);
      chosen.push(...found);
      if (found.length < missing) walk.below = trackerCount;
    }
    return chosen;
  }

  /** Whether this copy still holds the claim and the keyword has no snapshot of today. */
  async function isWorthReading(job: SnapshotJob, found: KeywordMarketClaim | null, trackerCount: number) {
    const { market, claim } = job;
    // The claim has expired, or a user's call has read the keyword.
    if (found?.claimed_by !== claim) return false;
    const today = utcDay(now());
    const lastDay = found.latest?.day ?? null;
    if (lastDay !== null && lastDay >= today) {
      await dueKeywordMarkets.reschedule(market._id, claim, nextReading(market._id, lastDay, today));
      return false;
    }
    if (trackerCount === 0 && (await dueKeywordMarkets.unschedule(market._id, claim, later(-rowWithinMs))))
      return false;
    const isShort = !found.due_at || found.due_at < later(dailyReadMs + saveMs);
    return !isShort || dueKeywordMarkets.extendClaim(market._id, claim, later(claimMs));
  }

  return {
    name: `${storeNames[store]} result pages`,
    maxConcurrency: 32,

    async claim(count, isTrial) {
      for (let tries = 0; tries < claimTries; tries++) {
        const at = now();
        const chosen = await choose(count, at, isTrial);
        if (chosen.length === 0) return [];
        const claim = randomUUID();
        const ids = chosen.map(({ _id }) => _id);
        const claimed = await dueKeywordMarkets.claim(ids, at, later(claimMs), claim);
        const jobs = chosen.filter(({ _id }) => claimed.has(_id)).map((market) => ({ market, claim }));
        if (jobs.length > 0) return jobs;
      }
      return [];
    },

    async run(job, call) {
      const { market } = job;
      const [found, trackerCount] = await Promise.all([
        dueKeywordMarkets.findClaim(market._id),
        trackedKeywords.countTrackers(market._id),
      ]);
      if (!(await isWorthReading(job, found, trackerCount))) return 'skipped';
      // No row yet: a call announced one within the last hour.
      await takeSnapshot.forDailyRun(market, Math.max(1, trackerCount), call);
      return 'done';
    },

    async fail({ market, claim }, isToBlame) {
      const failures = market.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), isToBlame ? failures : 1, random);
      await dueKeywordMarkets.requeue(market._id, claim, dueAt, failures);
    },

    async requeue(jobs) {
      walk.below = anyTrackerCount;
      await dueKeywordMarkets.requeueMany(
        jobs.map(({ market, claim }) => ({ id: market._id, claim, dueAt: market.due_at })),
      );
    },
  };
}

function byImportance(one: DueKeywordMarket, other: DueKeywordMarket): number {
  const hasFailed = ({ failures }: DueKeywordMarket) => (failures > 0 ? 1 : 0);
  const byFailure = hasFailed(one) - hasFailed(other);
  return byFailure || byTrackerCount(one, other);
}

function byTrackerCount(one: DueKeywordMarket, other: DueKeywordMarket): number {
  return other.tracker_count - one.tracker_count || one.due_at.getTime() - other.due_at.getTime();
}
