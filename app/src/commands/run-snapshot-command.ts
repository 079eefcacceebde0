import { type SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import type { SnapshotSettings } from '../config.ts';
import { connectService } from './connect-service.ts';
import type { FindServiceDeps } from './find-service.ts';
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
  const { client, close } = await connectService(
    { service: TrackingServiceService, name: 'tracking', setting, address: deps.settings[setting] },
    deps,
  );
  try {
    const { interrupted, onProgress } = deps;
    return await followSnapshotRun(command, { tracking: client, signal: interrupted, onProgress });
  } finally {
    close();
  }
}
