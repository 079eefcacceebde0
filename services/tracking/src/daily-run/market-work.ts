import { randomUUID } from 'node:crypto';
import type { Store } from '@shelfwise/facts/store';
import { utcDay } from '../domain/day.ts';
import { nextReading } from '../domain/next-reading.ts';
import { retryDelayMs } from '../domain/retry-delay.ts';
import { dailyReadMs, type SnapshotTaker } from '../snapshot-taker.ts';
import type { DueMarket, DueMarketStore, MarketClaim } from '../stores/due-market-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import type { DueWork } from './due-work.ts';

/** A market, claimed by this copy. `claim` is a text of this claim alone. */
export type MarketPiece = { market: DueMarket; claim: string };

/** How long a claim lasts: a piece waits for one reading before its own at most. A copy that died loses it then. */
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
/** More than any market has. */
const anyWatchers = Number.MAX_SAFE_INTEGER;

const names: Record<Store, string> = {
  ITUNES: 'App Store result pages',
  GPLAY: 'Google Play result pages',
};

/** The snapshots of one store's tracked markets: each once a UTC day, most-watched first when there is not the time for all. */
export function createMarketWork(deps: {
  store: Store;
  dueMarkets: DueMarketStore;
  trackedKeywords: TrackedKeywordStore;
  snapshotTaker: SnapshotTaker;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): DueWork<MarketPiece> {
  const { store, dueMarkets, trackedKeywords, snapshotTaker, now, random } = deps;

  const later = (ms: number) => new Date(now().getTime() + ms);

  /**
   * When all that is due fits, its order does not matter. Otherwise by watchers: one step per number of watchers that
   * occurs, each of them two looks at an index.
   */
  async function choose(count: number, at: Date): Promise<DueMarket[]> {
    const oldest = await dueMarkets.listDue(store, at, count + 1);
    if (oldest.length <= count) return oldest.sort(byWatchers);
    const chosen: DueMarket[] = [];
    let watchers = await dueMarkets.watchersBelow(store, anyWatchers);
    while (watchers !== null && chosen.length < count) {
      chosen.push(...(await dueMarkets.listDueOf(store, watchers, at, count - chosen.length)));
      watchers = await dueMarkets.watchersBelow(store, watchers);
    }
    return chosen;
  }

  /** The claim is ours and the market has no snapshot of today: then it is worth asking the store. */
  async function isWorthReading(piece: MarketPiece, found: MarketClaim | null, watchers: number) {
    const { market, claim } = piece;
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
    name: names[store],
    atOnce: 32,

    async claim(count) {
      for (let tries = 0; tries < triesToClaim; tries++) {
        const at = now();
        const chosen = await choose(count, at);
        if (chosen.length === 0) return [];
        const claim = randomUUID();
        const ids = chosen.map(({ _id }) => _id);
        const mine = await dueMarkets.claim(ids, at, later(claimMs), claim);
        const pieces = chosen.filter(({ _id }) => mine.has(_id)).map((market) => ({ market, claim }));
        if (pieces.length > 0) return pieces;
      }
      return [];
    },

    async read(piece, call) {
      const { market } = piece;
      const [found, watchers] = await Promise.all([
        dueMarkets.findClaim(market._id),
        trackedKeywords.countWatchers(market._id),
      ]);
      if (!(await isWorthReading(piece, found, watchers))) return 'not wanted';
      // Without a row somebody has just said that there will be one.
      await snapshotTaker.takeInTurn(market, Math.max(1, watchers), call);
      return 'done';
    },

    async fail({ market, claim }) {
      const failures = (market.failures ?? 0) + 1;
      await dueMarkets.release(market._id, claim, later(retryDelayMs(failures, random)), failures);
    },

    putBack: (pieces) =>
      dueMarkets.releaseMany(
        pieces.map(({ market, claim }) => ({ id: market._id, claim, dueAt: market.due_at })),
      ),

    countDue: () => dueMarkets.countDue(store, now()),
  };
}

function byWatchers(one: DueMarket, other: DueMarket): number {
  return (other.watchers ?? 0) - (one.watchers ?? 0) || one.due_at.getTime() - other.due_at.getTime();
}
