import { type SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { SnapshotSettings } from '../config.ts';
import { followSnapshotRun } from './follow-snapshot-run.ts';
import type { SnapshotCommand } from './parse-snapshot-command.ts';
import { type NeededService, type WithServiceDeps, withService } from './with-service.ts';

export type SnapshotCommandDeps = WithServiceDeps & {
  settings: SnapshotSettings;
  onProgress(run: SnapshotRun): void;
  /** Fires with Ctrl-C. */
  interrupted: AbortSignal;
};

/** The last known state of a run. A run by a service continues there; a run by the command has ended. */
export type SnapshotResult = { run: SnapshotRun; doneBy: 'service' | 'command' };

/**
 * Runs the snapshots that are due. See `withService` for where this runs.
 * @throws AppError, StartError
 */
export async function runSnapshotCommand(
  command: SnapshotCommand,
  deps: SnapshotCommandDeps,
): Promise<SnapshotResult> {
  const tracking: NeededService = {
    name: 'tracking',
    setting: 'TRACKING_ADDRESS',
    address: deps.settings.TRACKING_ADDRESS,
    database: trackingDatabase,
    state: 'snapshot-command',
  };
  const settings = { ...deps.settings, DAILY_RUN: true };
  const { result, doneBy } = await withService(tracking, { ...deps, settings }, (address) =>
    followOn(address, command, deps),
  );
  return { run: result, doneBy };
}

async function followOn(
  address: string,
  command: SnapshotCommand,
  { onProgress, interrupted }: SnapshotCommandDeps,
): Promise<SnapshotRun> {
  const { client, close } = createGrpcClient({ service: TrackingServiceService, name: 'tracking', address });
  try {
    return await followSnapshotRun(command, { tracking: client, signal: interrupted, onProgress });
  } finally {
    close();
  }
}
