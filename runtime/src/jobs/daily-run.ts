import { PartState, type StatusCheck } from '../process/status.ts';
import { describePause } from './describe-pause.ts';
import type { Worker } from './worker.ts';

/** How far the daily run is; every field is a count. */
export type DailyProgress = {
  all: number;
  /** Read on this UTC day. */
  readToday: number;
  /** Due at this moment. */
  due: number;
  /** Due for more than an hour and not read yet. */
  late: number;
};

/**
 * Everything that a service does by itself every day. Any number of copies may run over one database: a job that one
 * copy has claimed is run by no other.
 */
export function createDailyRun(deps: {
  /** Whether this copy takes part. */
  isOn: boolean;
  workers: readonly Worker[];
  /** Loops that run next to the workers until the signal fires; each handles its own failures. */
  background: readonly { run(signal: AbortSignal): Promise<void> }[];
  /** What is read, in the plural: `keywords`. */
  what: string;
  /** The latest count; null when nothing was counted on this day yet. */
  readProgress: () => { at: Date; counts: DailyProgress } | null;
}) {
  const { isOn, workers, background } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void>[] = [];
  let stopped: Promise<unknown> | undefined;

  return {
    isOn: () => isOn,
    start(): void {
      if (!isOn) return;
      running = background.map((task) => task.run(signal));
      for (const worker of workers) worker.start();
    },
    /** May be called more than once. */
    async stop(): Promise<void> {
      stopping.abort();
      stopped ??= Promise.all([...running, ...workers.map((worker) => worker.stop())]);
      await stopped;
    },
    status: isOn ? statusOf(deps) : isOff,
  };
}

const name = 'daily run';

/** How far the day's jobs are. Degraded when some are late or a worker is paused. */
function statusOf({
  workers,
  what,
  readProgress,
}: Pick<Parameters<typeof createDailyRun>[0], 'workers' | 'what' | 'readProgress'>): StatusCheck {
  return async () => {
    const progress = readProgress();
    const pauses = workers.flatMap(describePause);
    const isBehind = pauses.length > 0 || (progress?.counts.late ?? 0) > 0;
    return {
      name,
      state: isBehind ? PartState.DEGRADED : PartState.OK,
      detail: [progress ? describe(progress, what) : 'not counted today yet', ...pauses].join('; '),
      is_embedded: false,
    };
  };
}

/** In a copy that takes no part. */
const isOff: StatusCheck = async () => ({
  name,
  state: PartState.OK,
  detail: 'not in this copy (DAILY_RUN=false)',
  is_embedded: false,
});

function describe({ at, counts }: { at: Date; counts: DailyProgress }, what: string): string {
  const countedAt = at.toISOString().slice(11, 16);
  const [all, readToday, due, late] = [counts.all, counts.readToday, counts.due, counts.late].map((count) =>
    count.toLocaleString('en-US'),
  );
  return `counted at ${countedAt} UTC: ${readToday} of ${all} ${what} read today, ${due} due, ${late} late`;
}
