import { type SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import type { SnapshotSettings } from '../config.ts';
import { type FindServiceDeps, findService } from './find-service.ts';
import { followSnapshotRun } from './follow-snapshot-run.ts';
import type { SnapshotCommand } from './parse-snapshot-command.ts';

type SnapshotCommandDeps = FindServiceDeps & {
  settings: SnapshotSettings;
  onProgress(run: SnapshotRun): void;
  /** Fires with Ctrl-C. */
  interrupted: AbortSignal;
};

/**
 * Lets the running tracking service read the snapshots that are due. Returns the last known state of the run, which
 * continues in the service after Ctrl-C.
 * @throws AppError, StartError
 */
export async function runSnapshotCommand(
  command: SnapshotCommand,
  deps: SnapshotCommandDeps,
): Promise<SnapshotRun> {
  const setting = 'TRACKING_ADDRESS';
  const address = await findService({ name: 'tracking', setting, address: deps.settings[setting] }, deps);
  const { client, close } = createGrpcClient({ service: TrackingServiceService, name: 'tracking', address });
  try {
    const { interrupted, onProgress } = deps;
    return await followSnapshotRun(command, { tracking: client, signal: interrupted, onProgress });
  } finally {
    close();
  }
}
