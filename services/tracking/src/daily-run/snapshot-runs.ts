import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';
import { withAnySignal } from '@shelfwise/runtime/concurrency/with-any-signal';
import { AppError } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { keepHeld, type Lease } from '@shelfwise/runtime/mongo/lease';
import type {
  NewSnapshotRun,
  RunCounts,
  SnapshotRunDocument,
  SnapshotRunStore,
} from '../stores/snapshot-run-store.ts';

/** The progress of a run, in keywords. `done` and `failed`: since the run started. */
export type RunProgress = RunCounts & {
  isOver: boolean;
  /** Not tried yet. */
  left: number;
  /** Why keywords are not read, one sentence each. */
  problems: string[];
};

/** A kind of run. Its state is in the run's document, so that any copy may answer or continue. */
export type RunKind = {
  /** Whether there is something that one copy must do, in addition to what the workers of all copies do. */
  hasWork(run: SnapshotRunDocument): boolean;
  /** Does it, from where the document says. Rejects with the signal's reason when it fires. */
  work(run: SnapshotRunDocument, signal: AbortSignal): Promise<void>;
  readProgress(run: SnapshotRunDocument): Promise<RunProgress>;
};

/** What a new run starts with. Rejects when it cannot be started. */
export type BeginRun = (
  startedAt: Date,
  signal: AbortSignal,
) => Promise<Omit<NewSnapshotRun, 'run_id' | 'started_at'>>;

export type SnapshotRuns = ReturnType<typeof createSnapshotRuns>;

const maxProblems = 10;
/** Another copy continues a run when the copy that worked on it died this long ago. */
export const runLeaseMs = 15_000;
/** How often a copy looks for a run that it should continue or end. */
const lookEveryMs = 15_000;

/**
 * The runs that an operator starts, one at a time over all copies. The run is a document: every copy gives the same
 * answers, and another one continues it when the copy that works on it dies.
 */
export function createSnapshotRuns(deps: {
  runs: SnapshotRunStore;
  /** Held by the copy that works on the run. */
  lease: Lease;
  kinds: { due: RunKind; day: RunKind };
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
}) {
  const { runs, lease, kinds, logger, now } = deps;
  const stopping = new AbortController();
  // Each reading of a run adds a listener; Node warns above ten.
  setMaxListeners(0, stopping.signal);
  /** Settles when the last call of `start` is answered. */
  let starting: Promise<unknown> = Promise.resolve();
  let working: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const kindOf = ({ day }: SnapshotRunDocument) => (day === null ? kinds.due : kinds.day);

  /** The run with its progress now, or at its end. Ends it when nothing is left. */
  async function readRun(run: SnapshotRunDocument): Promise<SnapshotRun> {
    if (run.ended_at !== null) return toMessage(run, { ...run, isOver: true });
    const progress = await readProgress(run);
    if (!progress.isOver) return toMessage(run, progress);
    const { done, failed, left, problems } = progress;
    await runs.end(run.run_id, {
      ended_at: now(),
      done,
      failed,
      left,
      problems: problems.slice(0, maxProblems),
    });
    // Another copy may have ended it first.
    const ended = (await runs.find()) ?? run;
    return toMessage(ended, { ...progress, ...(ended.run_id === run.run_id ? ended : run) });
  }

  /** A job counts its failure before it ends: those of the last jobs may be newer than `run`. */
  async function readProgress(run: SnapshotRunDocument): Promise<RunProgress> {
    const progress = await kindOf(run).readProgress(run);
    if (!progress.isOver) return progress;
    const latest = await runs.find();
    return latest?.run_id === run.run_id ? kindOf(latest).readProgress(latest) : progress;
  }

  async function findLast(): Promise<SnapshotRun | null> {
    const run = await runs.find();
    return run && readRun(run);
  }

  async function startUnlessRunning(begin: BeginRun): Promise<SnapshotRun> {
    const previous = await runs.find();
    if (previous) {
      const message = await readRun(previous);
      if (!message.is_over) return message;
    }
    const startedAt = now();
    const begun = await begin(startedAt, stopping.signal);
    await runs.create({ ...begun, run_id: randomUUID(), started_at: startedAt }, previous?.run_id ?? null);
    const started = await findLast();
    if (!started) throw new AppError('INTERNAL_ERROR', 'The run could not be read. Try again.');
    void look();
    return started;
  }

  /** Works on the run in progress unless another copy does, and ends it when nothing is left. */
  async function continueLast(): Promise<void> {
    const run = await runs.find();
    if (!run || run.ended_at !== null) return;
    const kind = kindOf(run);
    if (kind.hasWork(run) && (await lease.hold())) await workUnderLease(kind, run);
    await findLast();
  }

  async function workUnderLease(kind: RunKind, run: SnapshotRunDocument): Promise<void> {
    const lostError = () => new Error('another copy continues the run');
    const renewing = keepHeld(lease, { leaseMs: runLeaseMs, lostError });
    try {
      await withAnySignal([stopping.signal, renewing.lost], (signal) => {
        setMaxListeners(0, signal);
        return kind.work(run, signal);
      });
    } finally {
      renewing.stop();
      await lease.release().catch(() => {});
    }
  }

  /** Resolves when this copy has nothing more to do on the run. Never rejects. */
  async function look(): Promise<void> {
    if (stopping.signal.aborted) return;
    working ??= continueLast()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.warn({ err: error }, 'the snapshot run will be continued');
      })
      .finally(() => {
        working = null;
      });
    await working;
  }

  return {
    /** From now on this copy continues a run that no other copy works on. */
    watch(): void {
      timer = setInterval(() => void look(), lookEveryMs);
      timer.unref();
      void look();
    },

    /** Continues or ends the run in progress; called regularly. */
    look,

    /** Returns the run in progress, or starts one. */
    start(begin: BeginRun): Promise<SnapshotRun> {
      const started = starting.then(() => startUnlessRunning(begin));
      starting = started.catch(() => {});
      return started;
    },

    /** The run that was started last; null when there is none. */
    findLast,

    /** Leaves the run in progress to another copy, or to the next start. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await working;
    },
  };
}

function toMessage(
  { started_at, ended_at }: SnapshotRunDocument,
  { isOver, done, failed, left, problems }: RunProgress,
): SnapshotRun {
  return {
    is_over: isOver,
    done,
    failed,
    left,
    started_at,
    ended_at,
    problems: problems.slice(0, maxProblems),
  };
}
