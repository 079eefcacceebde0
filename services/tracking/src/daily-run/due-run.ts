import { type Store, stores } from '@shelfwise/facts/store';
import { utcDay } from '../domain/day.ts';
import type { DueMarketStore } from '../stores/due-market-store.ts';
import { describeTrouble } from './describe-trouble.ts';
import type { Lane } from './lane.ts';
import type { StartRun } from './snapshot-runs.ts';

const dayMs = 86_400_000;
const marketsAtOnce = 500;

/**
 * A run over what is due when it starts, which the lanes read; with `isAllOfToday` also over what is planned for later
 * that day. Each market is tried once: one that fails comes due again later, and the run does not wait for it.
 */
export function createDueRun(deps: {
  /** those that read markets */
  lanes: readonly Lane[];
  dueMarkets: DueMarketStore;
  isAllOfToday: boolean;
}): StartRun {
  const { lanes, dueMarkets, isAllOfToday } = deps;

  return async (startedAt, signal) => {
    const before = total(lanes);
    let isPreparing = isAllOfToday;
    let problem: string | null = null;
    const wakeAll = () => {
      for (const lane of lanes) lane.wake();
    };

    async function bringForwardAll(store: Store, to: Date): Promise<void> {
      while (!signal.aborted && (await dueMarkets.bringForward(store, startedAt, to, marketsAtOnce)) > 0)
        wakeAll();
    }

    async function prepare(): Promise<void> {
      const tomorrow = new Date(Date.parse(utcDay(startedAt)) + dayMs);
      try {
        for (const store of stores) await bringForwardAll(store, tomorrow);
      } catch {
        problem = 'Not all that is planned for today could be made due. Start the run again.';
      }
      isPreparing = false;
    }

    if (isAllOfToday) void prepare();
    wakeAll();
    return {
      async look() {
        // In this order: what is claimed between the two is counted by the second.
        const due = await countDue(startedAt);
        const isClaiming = lanes.some((lane) => lane.isClaiming());
        const left = due + sum(lanes.map((lane) => lane.held()));
        const { done, failed } = total(lanes);
        return {
          isOver: !isPreparing && !isClaiming && left === 0,
          ...{ done: done - before.done, failed: failed - before.failed, left },
          problems: [...(problem ? [problem] : []), ...lanes.flatMap(describeTrouble)],
        };
      },
    };
  };

  async function countDue(at: Date): Promise<number> {
    return sum(await Promise.all(stores.map((store) => dueMarkets.countDue(store, at))));
  }
}

function total(lanes: readonly Lane[]) {
  const totals = lanes.map((lane) => lane.totals());
  return { done: sum(totals.map(({ done }) => done)), failed: sum(totals.map(({ failed }) => failed)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
