import { type Store, stores } from '@shelfwise/facts/stores/store';
import { startOfNextDay } from '@shelfwise/runtime/day';
import { describePause } from '@shelfwise/runtime/jobs/describe-pause';
import type { Worker } from '@shelfwise/runtime/jobs/worker';
import type { DueKeywordMarketStore } from '../stores/due-keyword-market-store.ts';
import type { StartRun } from './snapshot-runs.ts';

const marketsPerUpdate = 500;

/**
 * A run over the keywords that are due when it starts; with `isAllOfToday` also over those planned for later that UTC
 * day. It makes them due now, also those that wait for a retry, and the workers of the daily run read them. Each
 * keyword is tried once: the run waits neither for the retry of one that fails nor for one that another copy has
 * claimed. Its counts include everything that these workers read meanwhile.
 */
export function createDueRun(deps: {
  /** The workers that read result pages. */
  workers: readonly Worker[];
  dueKeywordMarkets: DueKeywordMarketStore;
  isAllOfToday: boolean;
}): StartRun {
  const { workers, dueKeywordMarkets, isAllOfToday } = deps;

  return async (startedAt, signal) => {
    const totalsBefore = sumTotals(workers);
    // Exclusive, so a keyword planned for exactly `startedAt` belongs to the run.
    const plannedBefore = isAllOfToday ? startOfNextDay(startedAt) : new Date(startedAt.getTime() + 1);
    let isPreparing = true;
    let problem: string | null = null;
    const wakeAll = () => {
      for (const worker of workers) worker.wake();
    };

    /** Passes each keyword once, so that one that fails during the run is not made due again. */
    async function makeAllDue(store: Store): Promise<void> {
      let plannedFrom: Date | null = new Date(0);
      while (!signal.aborted && plannedFrom !== null) {
        const planned = { plannedFrom, plannedBefore };
        plannedFrom = await dueKeywordMarkets.makeDueBy(store, startedAt, planned, marketsPerUpdate);
        wakeAll();
      }
    }

    async function prepare(): Promise<void> {
      try {
        for (const store of stores) await makeAllDue(store);
      } catch {
        problem = 'Some keywords could not be made due. Start the run again.';
      }
      isPreparing = false;
    }

    void prepare();
    wakeAll();
    return {
      async readProgress() {
        // Due ones first: in the other order, a job claimed between the two looks would escape both, and the run would
        // seem to be over.
        const due = await sumOf((store) => dueKeywordMarkets.countDue(store, startedAt));
        const isBusy = isPreparing || workers.some((worker) => worker.isClaiming() || worker.inFlight() > 0);
        const isOver = !isBusy && due === 0;
        const unread = await sumOf((store) => dueKeywordMarkets.countPlannedBefore(store, plannedBefore));
        const totalsNow = sumTotals(workers);
        const done = totalsNow.done - totalsBefore.done;
        const failed = totalsNow.failed - totalsBefore.failed;
        const left = Math.max(0, unread - failed);
        const isClaimedElsewhere = isOver && left > 0 && !problem;
        return {
          isOver,
          done,
          failed,
          left,
          problems: [
            ...(problem ? [problem] : []),
            ...(isClaimedElsewhere ? [describeClaimed(left)] : []),
            ...workers.flatMap(describePause),
          ],
        };
      },
    };
  };
}

async function sumOf(count: (store: Store) => Promise<number>): Promise<number> {
  return sum(await Promise.all(stores.map(count)));
}

function describeClaimed(left: number): string {
  const keywordsAre = left === 1 ? '1 keyword is' : `${left} keywords are`;
  return `${keywordsAre} claimed by another copy of the service, or by one that crashed. Start the run again in 3 minutes.`;
}

function sumTotals(workers: readonly Worker[]) {
  const totals = workers.map((worker) => worker.totals());
  return { done: sum(totals.map(({ done }) => done)), failed: sum(totals.map(({ failed }) => failed)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
