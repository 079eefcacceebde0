import { randomUUID } from 'node:crypto';
import { type Store, storeNames } from '@shelfwise/facts/store';
import { utcDay } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import { nextReading } from '../domain/next-reading.ts';
import { dailyReadMs, type SnapshotTaker } from '../snapshot-taker.ts';
import type { DueMarket, DueMarketStore, MarketClaim } from '../stores/due-market-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

/** A market, claimed by this copy. `claim` is a text of this claim alone. */
export type SnapshotJob = { market: DueMarket; claim: string };

/** How long a claim lasts: a job waits for one reading before its own at most. A copy that died loses it then. */
const claimMs = 180_000;
/** Time to write what was read. */
const writeMs = 15_000;
/** Copies that look at the same moment want the same markets; whoever gets none looks again, so many times. */
const triesToClaim = 5;
/**
 * A call that begins to track a market says so before it writes the row; it takes a minute at most. A market without a
 * row is therefore given up only when nobody has said so for an hour: then no row is on its way.
 */
const rowWithinMs = 3_600_000;
/** So many numbers of watchers are looked at for one claim; what is missing then is taken by its age. */
const stepsPerClaim = 100;
/** A market that comes due waits at most so long for its rank among those that are due already. */
const walkAgainMs = 60_000;
/** More than any market has. */
const anyWatchers = Number.MAX_SAFE_INTEGER;

/** The snapshots of one store's tracked markets: each once a UTC day, most-watched first when there is not the time for all. */
export function createSnapshotJobs(deps: {
  store: Store;
  dueMarkets: DueMarketStore;
  trackedKeywords: TrackedKeywordStore;
  snapshotTaker: SnapshotTaker;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<SnapshotJob> {
  const { store, dueMarkets, trackedKeywords, snapshotTaker, now, random } = deps;

  /** Where the next claim goes on in a backlog: numbers of watchers from `below` on had nothing due. */
  let walk = { below: anyWatchers, beganAt: 0 };

  const later = (ms: number) => new Date(now().getTime() + ms);

  /**
   * When all that is due fits, only the order counts. Otherwise by watchers; what has failed comes after all else, so
   * that markets which always fail keep none of the others.
   */
  async function choose(count: number, at: Date, isTrial: boolean): Promise<DueMarket[]> {
    const oldest = await dueMarkets.listDue(store, at, count + 1);
    if (oldest.length <= count) return oldest.sort(byImportance);
    const chosen = isTrial ? await dueMarkets.listDueUnfailed(store, at, count) : await walkDown(count, at);
    const ids = new Set(chosen.map(({ _id }) => _id));
    const others = oldest.filter(({ _id }) => !ids.has(_id)).sort(byImportance);
    return [...chosen, ...others].slice(0, count);
  }

  /**
   * Those that have not failed, most-watched first: two looks at an index per number of watchers that occurs. A walk
   * goes on where the last one ended, and soon begins at the top again, so that many numbers cost no more than few.
   */
  async function walkDown(count: number, at: Date): Promise<DueMarket[]> {
    const sinceTop = at.getTime() - walk.beganAt;
    if (sinceTop < 0 || sinceTop >= walkAgainMs) walk = { below: anyWatchers, beganAt: at.getTime() };
    const chosen: DueMarket[] = [];
    for (let steps = 0; steps < stepsPerClaim && chosen.length < count; steps++) {
      const watchers = await dueMarkets.watchersBelow(store, walk.below);
      if (watchers === null) break;
      const wanted = count - chosen.length;
      const found = await dueMarkets.listDueOf(store, watchers, at, wanted);
      chosen.push(...found);
      if (found.length < wanted) walk.below = watchers;
    }
    return chosen;
  }

  /** The claim is ours and the market has no snapshot of today: then it is worth asking the store. */
  async function isWorthReading(job: SnapshotJob, found: MarketClaim | null, watchers: number) {
    const { market, claim } = job;
    // It ran out, or a reading that somebody waited for was quicker.
    if (found?.claimed_by !== claim) return false;
    const today = utcDay(now());
    const lastDay = found.latest?.day ?? null;
    if (lastDay !== null && lastDay >= today) {
      await dueMarkets.replan(market._id, claim, nextReading(market._id, lastDay, today));
      return false;
    }
    if (watchers === 0 && (await dueMarkets.unplan(market._id, claim, later(-rowWithinMs)))) return false;
    const isShort = !found.due_at || found.due_at < later(dailyReadMs + writeMs);
    return !isShort || dueMarkets.prolong(market._id, claim, later(claimMs));
  }

  return {
    name: `${storeNames[store]} result pages`,
    maxConcurrency: 32,

    async claim(count, isTrial) {
      for (let tries = 0; tries < triesToClaim; tries++) {
        const at = now();
        const chosen = await choose(count, at, isTrial);
        if (chosen.length === 0) return [];
        const claim = randomUUID();
        const ids = chosen.map(({ _id }) => _id);
        const mine = await dueMarkets.claim(ids, at, later(claimMs), claim);
        const jobs = chosen.filter(({ _id }) => mine.has(_id)).map((market) => ({ market, claim }));
        if (jobs.length > 0) return jobs;
      }
      return [];
    },

    async run(job, call) {
      const { market } = job;
      const [found, watchers] = await Promise.all([
        dueMarkets.findClaim(market._id),
        trackedKeywords.countWatchers(market._id),
      ]);
      if (!(await isWorthReading(job, found, watchers))) return 'skipped';
      // Without a row somebody has just said that there will be one.
      await snapshotTaker.takeInTurn(market, Math.max(1, watchers), call);
      return 'done';
    },

    async fail({ market, claim }, isToBlame) {
      const failures = market.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), isToBlame ? failures : 1, random);
      await dueMarkets.release(market._id, claim, dueAt, failures);
    },

    async requeue(jobs) {
      walk.below = anyWatchers;
      await dueMarkets.releaseMany(
        jobs.map(({ market, claim }) => ({ id: market._id, claim, dueAt: market.due_at })),
      );
    },
  };
}

function byImportance(one: DueMarket, other: DueMarket): number {
  const hasFailed = ({ failures }: DueMarket) => (failures > 0 ? 1 : 0);
  const byFailure = hasFailed(one) - hasFailed(other);
  return byFailure || byWatchers(one, other);
}

function byWatchers(one: DueMarket, other: DueMarket): number {
  return other.watchers - one.watchers || one.due_at.getTime() - other.due_at.getTime();
}
