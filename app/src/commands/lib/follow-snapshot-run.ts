import { randomUUID } from 'node:crypto';
import type { SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { pause } from './pause.ts';
import type { SnapshotRequest } from './snapshot-report.ts';

type FollowDeps = {
  tracking: Pick<GrpcClient<typeof TrackingServiceService>, 'startSnapshotRun' | 'getSnapshotRun'>;
  /** Stops following; the run continues in the service. */
  signal: AbortSignal;
  onProgress(run: SnapshotRun): void;
  /** The pause between two readings of the run's state. */
  pollMs?: number;
  /** How long polls may fail because the service is unavailable. */
  unavailableForMs?: number;
};

const callTimeoutMs = 10_000;

/**
 * Starts a run in the service and polls its state until the run is over or the signal fires. Returns the last known
 * state.
 * @throws AppError when the service refuses the run or stays unavailable
 */
export async function followSnapshotRun(command: SnapshotRequest, deps: FollowDeps): Promise<SnapshotRun> {
  const { tracking, signal, onProgress, pollMs = 1000, unavailableForMs = 30_000 } = deps;
  const started = await tracking.startSnapshotRun(command, createCall());
  let run = requireRun(started.run);
  let answeredAtMs = performance.now();
  for (;;) {
    onProgress(run);
    if (run.is_over || signal.aborted) return run;
    await pause(pollMs, signal);
    try {
      run = requireRun((await tracking.getSnapshotRun({}, createCall())).run);
      answeredAtMs = performance.now();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - answeredAtMs > unavailableForMs) throw error;
    }
  }
}

function createCall() {
  return { requestId: `snapshot-${randomUUID()}`, deadline: new Date(Date.now() + callTimeoutMs) };
}

function requireRun(run: SnapshotRun | null): SnapshotRun {
  if (!run) throw new AppError('INTERNAL_ERROR', 'The tracking service answered without a run.');
  return run;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
}
