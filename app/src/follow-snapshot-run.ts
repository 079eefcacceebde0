import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { SnapshotCommand } from './parse-snapshot-command.ts';

type FollowDeps = {
  tracking: Pick<GrpcClient<typeof TrackingServiceService>, 'startSnapshotRun' | 'getSnapshotRun'>;
  /** Fires when nobody wants to look on any more. */
  signal: AbortSignal;
  onProgress(run: SnapshotRun): void;
  lookEveryMs?: number;
  /** How long a service that does not answer is asked again. */
  patienceMs?: number;
};

const answerWithinMs = 10_000;

/**
 * Starts a run and looks at it until it is over or the signal fires; the run as it was seen last. Looking on does not
 * keep it going: it is the service's own.
 * @throws AppError when the service refuses it, was started anew meanwhile, or has not answered for a while
 */
export async function followSnapshotRun(command: SnapshotCommand, deps: FollowDeps): Promise<SnapshotRun> {
  const { tracking, signal, onProgress, lookEveryMs = 1000, patienceMs = 30_000 } = deps;
  const started = await tracking.startSnapshotRun(command, call());
  let run = known(started.run);
  let answeredAtMs = performance.now();
  for (;;) {
    onProgress(run);
    if (run.is_over || signal.aborted) return run;
    await pause(lookEveryMs, signal);
    try {
      run = known((await tracking.getSnapshotRun({}, call())).run);
      answeredAtMs = performance.now();
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw startedAnew(error);
      if (!isAway(error) || performance.now() - answeredAtMs > patienceMs) throw error;
    }
  }
}

function call() {
  return { requestId: `snapshot-${randomUUID()}`, deadline: new Date(Date.now() + answerWithinMs) };
}

function known(run: SnapshotRun | null): SnapshotRun {
  if (!run) throw new AppError('INTERNAL_ERROR', 'The tracking service answered without a run.');
  return run;
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
}

function startedAnew(cause: AppError): AppError {
  const message =
    'The tracking service was started anew meanwhile and no longer counts this run. What is due is read by its daily run; run the command again to look on.';
  return new AppError('SERVICE_UNAVAILABLE', message, { cause });
}

/** Waits, but not longer than until the signal fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
}
