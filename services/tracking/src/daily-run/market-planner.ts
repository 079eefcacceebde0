import { stores } from '@shelfwise/facts/stores/store';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { utcDay } from '@shelfwise/runtime/day';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { nextReading } from '../domain/next-reading.ts';
import type { DueMarketStore, UnplannedMarket } from '../stores/due-market-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

const marketsAtOnce = 200;
const countsAtOnce = 8;

/**
 * Plans the markets of a database that was begun before there was a daily run: once each, some at a time, from where a
 * stop or a crash ended it.
 */
export function createMarketPlanner(deps: {
  dueMarkets: DueMarketStore;
  trackedKeywords: TrackedKeywordStore;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { dueMarkets, trackedKeywords, logger, now, sleep } = deps;

  async function planOne({ _id: id, latest }: UnplannedMarket) {
    const watchers = await trackedKeywords.countWatchers(id);
    const today = utcDay(now());
    return { id, watchers, plannedAt: watchers > 0 ? nextReading(id, latest?.day ?? null, today) : null };
  }

  async function planAll(signal: AbortSignal): Promise<void> {
    let planned = 0;
    for (const store of stores) {
      for (;;) {
        if (signal.aborted) return;
        const some = await dueMarkets.listUnplanned(store, marketsAtOnce);
        if (some.length === 0) break;
        await dueMarkets.plan(await mapLimited(some, countsAtOnce, planOne));
        planned += some.length;
      }
    }
    if (planned > 0)
      logger.info({ markets: planned }, 'planned the readings of markets of an earlier version');
  }

  return {
    /** Ends when all are planned or the signal fires; a database that is away is tried again. */
    run: (signal: AbortSignal) =>
      retryUntilDone(() => planAll(signal), {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'readings of markets could not be planned; trying again'),
      }),
  };
}
