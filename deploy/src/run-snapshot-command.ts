import { resolve } from 'node:path';
import { makeDataFolder } from '@shelfwise/embedded/local-socket';
import { type SnapshotRun, TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import type { Logger } from '@shelfwise/runtime/logger';
import { createRun } from '@shelfwise/runtime/run';
import { StartError } from '@shelfwise/runtime/start-error';
import { trackingDatabase } from '@shelfwise/tracking/config';
import { usable } from './claim-folder.ts';
import type { SnapshotSettings } from './config.ts';
import type { HolderState } from './control.ts';
import { findRunning } from './find-running.ts';
import { followSnapshotRun } from './follow-snapshot-run.ts';
import { ofSource } from './open-databases.ts';
import type { SnapshotCommand } from './parse-snapshot-command.ts';
import { startServices } from './start-services.ts';

export type SnapshotCommandDeps = {
  settings: SnapshotSettings;
  logger: Logger;
  worker: URL;
  process: { pid: number; nodeVersion: string };
  /** one line for the operator about where the command runs */
  say(line: string): void;
  onProgress(run: SnapshotRun): void;
  /** Fires with Ctrl-C. */
  interrupted: AbortSignal;
};

/** What came of a run, and whether a service goes on by itself with what is left of it. */
export type SnapshotResult = { run: SnapshotRun; doneBy: 'service' | 'command' };

/**
 * Has a run done where the tracking service is: on TRACKING_ADDRESS, in the process that holds the data folder, else
 * in this very process, which then starts what it needs and stops it again.
 * @throws AppError, StartError
 */
export async function runSnapshotCommand(
  command: SnapshotCommand,
  deps: SnapshotCommandDeps,
): Promise<SnapshotResult> {
  const { settings, say } = deps;
  const { TRACKING_ADDRESS: address } = settings;
  if (address !== undefined) {
    say(`done by the tracking service on ${address}`);
    return { run: await onService(address, command, deps), doneBy: 'service' };
  }
  const wanted = resolve(settings.SHELFWISE_DATA_DIR);
  const dataDir = await usable(wanted, () => makeDataFolder(wanted));
  const holder = await findRunning(dataDir, settings);
  if (holder !== null) {
    say(`done by the Shelfwise that runs on ${dataDir}, ${nameSource(holder.source)}`);
    return { run: await onService(addressOf(holder, settings), command, deps), doneBy: 'service' };
  }
  const source = settings.STORE_SOURCE ?? 'sample';
  const where =
    settings.MONGODB_URI === undefined
      ? `the data folder ${dataDir}`
      : `the database ${ofSource(trackingDatabase, source)} of MONGODB_URI (TRACKING_ADDRESS names a service of its own)`;
  say(`no Shelfwise runs on ${dataDir}: done by this command on ${where}, ${nameSource(source)}`);
  return {
    run: await onOwnServices({ ...settings, STORE_SOURCE: source, DAILY_RUN: true }, command, deps),
    doneBy: 'command',
  };
}

function nameSource(source: HolderState['source']): string {
  return source === 'live' ? 'reading the live stores' : 'reading the sample catalogue';
}

/** @throws StartError when the running process reads another source than the one that was asked for */
function addressOf(
  { tracking, source, pid }: HolderState,
  { STORE_SOURCE: wanted }: SnapshotSettings,
): string {
  if (wanted !== undefined && wanted !== source)
    throw new StartError(
      `The Shelfwise that runs there (process ${pid}) has STORE_SOURCE=${source}, not ${wanted}. Unset STORE_SOURCE to use it, or stop it first.`,
    );
  if (tracking === null) throw new StartError('The Shelfwise that runs there does not say where it tracks.');
  return tracking;
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

async function onOwnServices(
  settings: Parameters<typeof startServices>[0]['settings'],
  command: SnapshotCommand,
  deps: SnapshotCommandDeps,
): Promise<SnapshotRun> {
  const run = createRun(deps.logger);
  try {
    const { tracking } = await startServices({ ...deps, settings, run }, 'snapshot-command');
    return await onService(tracking, command, deps);
  } finally {
    run.stop(0);
    await run.ended;
  }
}
