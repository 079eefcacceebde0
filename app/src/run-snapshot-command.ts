import { type SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { SnapshotSettings } from './config.ts';
import { followSnapshotRun } from './follow-snapshot-run.ts';
import type { SnapshotCommand } from './parse-snapshot-command.ts';
import { type NeededService, type OnServiceDeps, runOnService } from './run-on-service.ts';

export type SnapshotCommandDeps = OnServiceDeps & {
  settings: SnapshotSettings;
  onProgress(run: SnapshotRun): void;
  /** Fires with Ctrl-C. */
  interrupted: AbortSignal;
};

/** What came of a run, and whether a service goes on by itself with what is left of it. */
export type SnapshotResult = { run: SnapshotRun; doneBy: 'service' | 'command' };

/**
 * Has a run done by a tracking service, wherever one is.
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
  const { result, doneBy } = await runOnService(tracking, { ...deps, settings }, (address) =>
    onService(address, command, deps),
  );
  return { run: result, doneBy };
}

async function onService(
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
