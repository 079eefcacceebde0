import { setMaxListeners } from 'node:events';
import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';

/** The progress of a run, in keywords. */
export type RunProgress = {
  isOver: boolean;
  /** Read and saved since the run started. */
  done: number;
  /** Failed readings since the run started. */
  failed: number;
  /** Not tried yet. */
  left: number;
  /** Why keywords are not read, one sentence each. */
  problems: string[];
};

export type StartedRun = { readProgress(): Promise<RunProgress> };

/** Starts a run and resolves while it goes on; the signal ends it early. Rejects when the run cannot be started. */
export type StartRun = (startedAt: Date, signal: AbortSignal) => Promise<StartedRun>;

export type SnapshotRuns = ReturnType<typeof createSnapshotRuns>;

const maxProblems = 10;

/**
 * The runs that an operator starts, one at a time. Their progress is in memory: it counts only what this process reads
 * and is lost when the process ends. Keywords that a run made due stay due after that.
 */
export function createSnapshotRuns({ now }: { now: () => Date }) {
  const stopping = new AbortController();
  // Each reading of a run adds a listener; Node warns above ten.
  setMaxListeners(0, stopping.signal);
  /** Settles when the last call of `start` is answered; calls wait for each other, so that one run exists. */
  let starting: Promise<unknown> = Promise.resolve();
  let lastRun: {
    startedAt: Date;
    endedAt: Date | null;
    run: StartedRun;
    finalProgress: RunProgress | null;
  } | null = null;

  /** The run that was started last, with its progress now, or at its end; null when there is none. */
  async function findLast(): Promise<SnapshotRun | null> {
    const last = lastRun;
    if (!last) return null;
    const progress = last.finalProgress ?? (await last.run.readProgress());
    if (progress.isOver) {
      last.endedAt ??= now();
      last.finalProgress = progress;
    }
    const { isOver, done, failed, left, problems } = progress;
    return {
      is_over: isOver,
      done,
      failed,
      left,
      started_at: last.startedAt,
      ended_at: last.endedAt,
      problems: problems.slice(0, maxProblems),
    };
  }

  async function startUnlessRunning(start: StartRun): Promise<SnapshotRun> {
    const previous = await findLast();
    if (previous && !previous.is_over) return previous;
    const startedAt = now();
    const run = await start(startedAt, stopping.signal);
    lastRun = { startedAt, endedAt: null, run, finalProgress: null };
    const started = await findLast();
    if (!started) throw new AppError('INTERNAL_ERROR', 'The run could not be read. Try again.');
    return started;
  }

  return {
    /** Returns the run in progress, or starts one. */
    start(start: StartRun): Promise<SnapshotRun> {
      const started = starting.then(() => startUnlessRunning(start));
      starting = started.catch(() => {});
      return started;
    },
    findLast,
    /** Ends the run in progress early. */
    stop(): void {
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
    },
  };
}
