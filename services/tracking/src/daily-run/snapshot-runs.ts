import { setMaxListeners } from 'node:events';
import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';

/** How a run gets on. */
export type RunProgress = {
  isOver: boolean;
  done: number;
  failed: number;
  left: number;
  /** What keeps markets from being read, a sentence each. */
  problems: string[];
};

/** A run that has been started. */
export type StartedRun = { look(): Promise<RunProgress> };

/** Starts a run; the signal ends it before its time. Rejects when it cannot be begun. */
export type StartRun = (startedAt: Date, signal: AbortSignal) => Promise<StartedRun>;

const maxProblems = 10;

/**
 * The runs that an operator starts, one at a time. They are kept in memory: this process counts what it reads itself,
 * and forgets them when it ends. What they made due stays due.
 */
export function createSnapshotRuns({ now }: { now: () => Date }) {
  const stopping = new AbortController();
  // Each reading of a run listens; Node takes more than ten for a mistake.
  setMaxListeners(0, stopping.signal);
  let beginning: Promise<unknown> = Promise.resolve();
  let current: { startedAt: Date; endedAt: Date | null; run: StartedRun; last: RunProgress | null } | null =
    null;

  /** A run that is over stays as it was then. */
  async function look(): Promise<SnapshotRun | null> {
    const seen = current;
    if (!seen) return null;
    const progress = seen.endedAt && seen.last ? seen.last : await seen.run.look();
    if (progress.isOver) {
      seen.endedAt ??= now();
      seen.last = progress;
    }
    const { isOver, done, failed, left, problems } = progress;
    return {
      is_over: isOver,
      done,
      failed,
      left,
      started_at: seen.startedAt,
      ended_at: seen.endedAt,
      problems: problems.slice(0, maxProblems),
    };
  }

  async function begin(start: StartRun): Promise<SnapshotRun> {
    const known = await look();
    if (known && !known.is_over) return known;
    const startedAt = now();
    current = { startedAt, endedAt: null, run: await start(startedAt, stopping.signal), last: null };
    const begun = await look();
    if (!begun) throw new AppError('INTERNAL_ERROR', 'The run is gone. Try again.');
    return begun;
  }

  return {
    /** The run that is under way, or the one that this starts. */
    start(start: StartRun): Promise<SnapshotRun> {
      const begun = beginning.then(() => begin(start));
      beginning = begun.catch(() => {});
      return begun;
    },
    /** The run that was started last; null when none was. */
    look,
    stop(): void {
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
    },
  };
}
