import type { Lane } from '@shelfwise/runtime/lanes/lane';
import type { StatusCheck } from '@shelfwise/runtime/status';
import type { ChartCounter } from './chart-counter.ts';
import { dailyRunIsOff, dailyRunStatus } from './daily-run-status.ts';
import type { SnapshotSweeper } from './snapshot-sweeper.ts';

export type DailyRun = ReturnType<typeof createDailyRun>;

/**
 * Everything that happens by itself every day. Any number of copies may run over one database: what one of them has
 * taken no other reads.
 */
export function createDailyRun(deps: {
  /** This copy takes part. */
  isOn: boolean;
  lanes: readonly Lane[];
  sweeper: SnapshotSweeper;
  counter: ChartCounter;
}) {
  const { isOn, lanes, sweeper, counter } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let background: Promise<void>[] = [];
  let stopped: Promise<unknown> | undefined;
  const status: StatusCheck = isOn ? dailyRunStatus({ lanes, counter }) : dailyRunIsOff;

  return {
    start(): void {
      if (!isOn) return;
      background = [sweeper.run(signal), counter.run(signal)];
      for (const lane of lanes) lane.start();
    },
    /** Once, whoever asks for it first. */
    async stop(): Promise<void> {
      stopping.abort();
      stopped ??= Promise.all([...background, ...lanes.map((lane) => lane.stop())]);
      await stopped;
    },
    status,
  };
}
