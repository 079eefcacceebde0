import type { Lane } from '@shelfwise/runtime/lanes/lane';
import type { StatusCheck } from '@shelfwise/runtime/status';
import type { DueChartStore } from '../stores/due-chart-store.ts';
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
  dueCharts: DueChartStore;
  now: () => Date;
}) {
  const { isOn, lanes, sweeper, dueCharts, now } = deps;
  const stopping = new AbortController();
  let sweeping = Promise.resolve();
  let stopped: Promise<unknown> | undefined;
  const status: StatusCheck = isOn ? dailyRunStatus({ lanes, dueCharts, now }) : dailyRunIsOff;

  return {
    start(): void {
      if (!isOn) return;
      sweeping = sweeper.run(stopping.signal);
      for (const lane of lanes) lane.start();
    },
    /** Once, whoever asks for it first. */
    async stop(): Promise<void> {
      stopping.abort();
      stopped ??= Promise.all([sweeping, ...lanes.map((lane) => lane.stop())]);
      await stopped;
    },
    status,
  };
}
