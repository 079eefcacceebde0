import { nounFor } from '../noun-for.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import { describePause } from './describe-pause.ts';
import type { Worker } from './worker.ts';

/** The progress of the daily run. Every field is a count. */
export type DailyProgress = {
  /** All items that the daily run reads. */
  all: number;
  /** Already read on this UTC day. */
  readToday: number;
  /** Due now. */
  due: number;
  /** Due for more than an hour. */
  late: number;
};

/** The daily background work of a service. Several copies may share one database: each job is claimed by one copy. */
export function createDailyRun(deps: {
  isOn: boolean;
  workers: readonly Worker[];
  /** Loops that run next to the workers until the signal fires. Each handles its own failures. */
  background: readonly { run(signal: AbortSignal): Promise<void> }[];
  /** The singular name of the items that are read, for the health page. */
  item: string;
  /** The latest count and its time; null when there is none for this UTC day. */
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
    /** Resolves when the workers and loops have ended. Idempotent. */
    async stop(): Promise<void> {
      stopping.abort();
      stopped ??= Promise.all([...running, ...workers.map((worker) => worker.stop())]);
      await stopped;
    },
    status: isOn ? statusOf(deps) : isOff,
  };
}

const name = 'daily run';

/** The progress of the day. Degraded when an item is late or a worker is paused; the detail says why. */
function statusOf({
  workers,
  item,
  readProgress,
}: Pick<Parameters<typeof createDailyRun>[0], 'workers' | 'item' | 'readProgress'>): StatusCheck {
  return async () => {
    const progress = readProgress();
    const pauses = workers.flatMap(describePause);
    const isBehind = pauses.length > 0 || (progress?.counts.late ?? 0) > 0;
    return {
      name,
      state: isBehind ? PartState.DEGRADED : PartState.OK,
      detail: [
        progress ? describe(progress, item) : 'not counted today yet',
        ...(progress ? describeRetries(progress.counts, workers) : []),
        ...pauses,
      ].join('; '),
      is_embedded: false,
    };
  };
}

/** The status of a copy that takes no part in the daily run. */
const isOff: StatusCheck = async () => ({
  name,
  state: PartState.OK,
  detail: 'not in this copy (DAILY_RUN=false)',
  is_embedded: false,
});

/**
 * One sentence about late items that are not due, because they have failed and wait for another attempt, with the last
 * failure, unless the pause of its worker says why. An empty list when there are none. The number is the least that it
 * can be: some of the items that are due may not be late.
 */
function describeRetries({ late, due }: DailyProgress, workers: readonly Worker[]): string[] {
  const inFlight = workers.reduce((sum, worker) => sum + worker.inFlight(), 0);
  const waiting = late - due - inFlight;
  if (waiting <= 0) return [];
  const failures = workers.flatMap((worker) => {
    const failure = worker.lastFailure();
    return failure ? [{ ...failure, isExplained: worker.pauseReason() !== null }] : [];
  });
  const last = failures.sort((a, b) => b.at.getTime() - a.at.getTime())[0];
  const why = last && !last.isExplained ? `: ${last.reason}` : '';
  const verb = waiting === 1 ? 'waits' : 'wait';
  return [`${waiting.toLocaleString('en-US')} ${verb} for another attempt${why}`];
}

function describe({ at, counts }: { at: Date; counts: DailyProgress }, item: string): string {
  const countedAt = at.toISOString().slice(11, 16);
  const [all, readToday, due, late] = [counts.all, counts.readToday, counts.due, counts.late].map((count) =>
    count.toLocaleString('en-US'),
  );
  return `counted at ${countedAt} UTC: ${readToday} of ${all} ${nounFor(counts.all, item)} read today, ${due} due, ${late} late`;
}
