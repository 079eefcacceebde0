import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { utcDay } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { nextReading } from '../domain/next-reading.ts';
import { dailyReadMs } from '../snapshots/read-result-page.ts';
import type {
  ClaimedKeywordMarket,
  DueKeywordMarket,
  DueKeywordMarketStore,
} from '../stores/due-keyword-market-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import type { TakeSnapshot } from './take-snapshot.ts';

/**
 * Enough to wait for one other job, read twice and save: a worker claims at most twice as many jobs as it runs. The claim
 * of a copy that crashed expires after this time.
 */
const claimMs = 180_000;
/** Time reserved for saving what was read. */
const saveMs = 15_000;
/**
 * A call sets `last_tracked_at`, then writes its `tracked_keywords` row within a minute. So a keyword without rows is
 * dropped only when `last_tracked_at` is older than this.
 */
const rowWithinMs = 3_600_000;
/** A claim looks at this many tracker counts at most, and is then filled up with the jobs that are due longest. */
const stepsPerClaim = 100;
/** A walk that is older restarts at the top, where keywords with more trackers may have become due since. */
const restartWalkMs = 60_000;
/** Higher than any tracker count. */
const anyTrackerCount = Number.MAX_SAFE_INTEGER;

/** The latest snapshot, as far as it decides about the next one. */
type StoredDay = { latest?: { day: string; app_ids?: readonly string[]; is_suspect?: boolean } | null };

/** The snapshots of one store's tracked keywords: one per UTC day, most-tracked first when there is no time for all. */
export function createSnapshotJobs(deps: {
  store: Store;
  dueKeywordMarkets: DueKeywordMarketStore;
  trackedKeywords: TrackedKeywordStore;
  takeSnapshot: Pick<TakeSnapshot, 'forDailyRun'>;
  /** Called for each job that fails, before its failure is stored. Never rejects. */
  onFailure?: () => Promise<void>;
  now: () => Date;
  random: () => number;
}): JobSource<ClaimedKeywordMarket> {
  const { store, dueKeywordMarkets, trackedKeywords, takeSnapshot, now, random } = deps;
  const { queue } = dueKeywordMarkets;

  /**
   * In a backlog, claims walk down the tracker counts, and each continues where the last one ended: from `below` on,
   * nothing is due. `startedAt` is when the walk was at the top, in epoch ms.
   */
  let walk = { below: anyTrackerCount, startedAt: 0 };

  const fromNow = (ms: number) => new Date(now().getTime() + ms);

  /**
   * Chooses up to `count` due keywords: if not all fit, those with the most trackers, and in a trial those due longest.
   * Failed keywords come last, so that they do not block the others.
   */
  async function choose(count: number, isTrial: boolean): Promise<DueKeywordMarket[]> {
    const at = now();
    const oldest = await queue.listDue({ store }, at, count + 1);
    if (oldest.length <= count) return oldest.sort(byImportance);
    const chosen = isTrial
      ? await queue.listDue({ store, failures: 0 }, at, count)
      : await walkDown(count, at);
    const ids = new Set(chosen.map(({ _id }) => _id));
    const rest = oldest.filter(({ _id }) => !ids.has(_id)).sort(byImportance);
    return [...chosen, ...rest].slice(0, count);
  }

  /**
   * Chooses keywords that have not failed, most-tracked first, with two index look-ups per tracker count. Continues the
   * walk of the last claim, so that tracker counts with nothing due are passed once.
   */
  async function walkDown(count: number, at: Date): Promise<DueKeywordMarket[]> {
    const walkedMs = at.getTime() - walk.startedAt;
    // Negative after the clock was set back.
    if (walkedMs < 0 || walkedMs >= restartWalkMs) walk = { below: anyTrackerCount, startedAt: at.getTime() };
    const chosen: DueKeywordMarket[] = [];
    for (let steps = 0; steps < stepsPerClaim && chosen.length < count; steps++) {
      const trackerCount = await dueKeywordMarkets.nextTrackerCount(store, walk.below);
      if (trackerCount === null) break;
      const missing = count - chosen.length;
      const scope = { store, tracker_count: trackerCount, failures: 0 };
      const due = await queue.listDue(scope, at, missing);
      chosen.push(...due);
      if (due.length < missing) walk.below = trackerCount;
    }
    return chosen;
  }

  /**
   * Decides right before the reading whether it is still needed:
   * - this copy holds the claim
   * - the keyword has no snapshot of today, or an empty one that is disproved (`makeEmptyDue`)
   * - an account tracks it, or is about to
   * Extends a claim that is too short. A keyword that need not be read gets its next plan or leaves the daily run.
   */
  async function prepareToRead(
    market: ClaimedKeywordMarket,
    stored: StoredDay | null,
    trackerCount: number,
  ): Promise<boolean> {
    // Another copy has claimed it after this claim expired, or a user's call has read the keyword.
    if (!stored) return false;
    if (isReadToday(stored) && !isEmpty(stored)) {
      await planNext(market, stored);
      return false;
    }
    if (trackerCount === 0 && (await dropUntracked(market))) return false;
    const isTooShort = market.expiresAt < fromNow(2 * dailyReadMs + saveMs);
    return !isTooShort || queue.extend(market, fromNow(claimMs));
  }

  const isReadToday = ({ latest }: StoredDay) => (latest?.day ?? '') >= utcDay(now());

  /** Does nothing when the claim is lost. */
  async function planNext(market: ClaimedKeywordMarket, { latest }: StoredDay): Promise<void> {
    const next = nextReading(market._id, latest?.day ?? null, utcDay(now()));
    await queue.complete(market, next, { planned_at: next });
  }

  /** False when an account may have started to track the keyword just now, or the claim is lost. */
  function dropUntracked(market: ClaimedKeywordMarket): Promise<boolean> {
    return queue.drop(market, {
      where: { $or: [{ last_tracked_at: null }, { last_tracked_at: { $lt: fromNow(-rowWithinMs) } }] },
      set: { tracker_count: 0 },
      unset: ['planned_at', 'failures'],
    });
  }

  return {
    name: `${storeNames[store]} result pages`,
    maxConcurrency: 32,
    isAwaited: true,

    claim: (count, isTrial) => queue.claim(() => choose(count, isTrial), fromNow(claimMs)),

    async run(market, call) {
      const [stored, trackerCount] = await Promise.all([
        queue.findClaimed<StoredDay>(market, {
          'latest.day': 1,
          'latest.app_ids': 1,
          'latest.is_suspect': 1,
        }),
        trackedKeywords.countTrackers(market._id),
      ]);
      if (!(await prepareToRead(market, stored, trackerCount))) return 'skipped';
      // Without a row, a call is about to write one, which counts already. Saving the snapshot completes the job:
      // `setLatest` writes the next plan and ends the claim.
      const latest = stored?.latest;
      const known = {
        latest: latest ? { ...latest, app_ids: latest.app_ids ?? [] } : null,
        trackerCount: Math.max(1, trackerCount),
      };
      await takeSnapshot.forDailyRun(market, known, call);
      // A page that is empty again is not saved.
      if (stored && isReadToday(stored)) await planNext(market, stored);
      return 'done';
    },

    async fail(market, isToBlame) {
      await deps.onFailure?.();
      await queue.fail(market, isToBlame, { at: now(), random });
    },

    partsOf: (market) => [market],

    nextDueAt: () => queue.nextDueAt([{ store }]),

    readBacklog: () => queue.readBacklog([{ store }], now()),

    async requeue(markets) {
      // They are due again, perhaps with a tracker count that the walk has passed.
      walk.below = anyTrackerCount;
      await queue.requeue(markets);
    },
  };
}

function isEmpty({ latest }: StoredDay): boolean {
  return (latest?.app_ids ?? []).length === 0;
}

/** Sorts failed keywords last, then by tracker count (descending), then by due time. */
function byImportance(left: DueKeywordMarket, right: DueKeywordMarket): number {
  return (
    Number(left.failures > 0) - Number(right.failures > 0) ||
    right.tracker_count - left.tracker_count ||
    left.due_at.getTime() - right.due_at.getTime()
  );
}
