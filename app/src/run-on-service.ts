import { resolve } from 'node:path';
import { makeDataFolder } from '@shelfwise/embedded/local-socket';
import type { Logger } from '@shelfwise/runtime/logger';
import { createRun } from '@shelfwise/runtime/process/run';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { usable } from './claim-folder.ts';
import type { ServiceCommandSettings } from './config.ts';
import type { CommandState, HolderState } from './control.ts';
import { findRunning } from './find-running.ts';
import { ofSource } from './open-databases.ts';
import { startServices } from './start-services.ts';

/** The service that a command needs. */
export type NeededService = {
  name: 'tracking' | 'scoring';
  /** Which setting names one that was started alone, and what it says. */
  setting: 'TRACKING_ADDRESS' | 'SCORING_ADDRESS';
  address: string | undefined;
  /** the service's own database */
  database: string;
  /** What the command is called while it runs the services itself. */
  state: CommandState;
};

export type OnServiceDeps = {
  settings: ServiceCommandSettings;
  logger: Logger;
  worker: URL;
  process: { pid: number; nodeVersion: string };
  /** one line for the operator about where the command runs */
  say(line: string): void;
};

/**
 * Has work done where the service is: on the address that the settings name, in the process that holds the data folder,
 * else in this very process, which then starts what it needs and stops it again. `work` gets the service's address.
 * @throws StartError, or what `work` throws
 */
export async function runOnService<Result>(
  needed: NeededService,
  deps: OnServiceDeps,
  work: (address: string) => Promise<Result>,
): Promise<{ result: Result; doneBy: 'service' | 'command' }> {
  const { settings, say } = deps;
  if (needed.address !== undefined) {
    say(`done by the ${needed.name} service on ${needed.address}`);
    return { result: await work(needed.address), doneBy: 'service' };
  }
  const wanted = resolve(settings.SHELFWISE_DATA_DIR);
  const dataDir = await usable(wanted, () => makeDataFolder(wanted));
  const holder = await findRunning(dataDir, settings);
  if (holder !== null) {
    say(`done by the Shelfwise that runs on ${dataDir}, ${nameSource(holder.source)}`);
    return { result: await work(addressOf(holder, needed, settings)), doneBy: 'service' };
  }
  const source = settings.STORE_SOURCE ?? 'sample';
  const where =
    settings.MONGODB_URI === undefined
      ? `the data folder ${dataDir}`
      : `the database ${ofSource(needed.database, source)} of MONGODB_URI (${needed.setting} names a service of its own)`;
  say(`no Shelfwise runs on ${dataDir}: done by this command on ${where}, ${nameSource(source)}`);
  return { result: await onOwnServices(needed, deps, source, work), doneBy: 'command' };
}

function nameSource(source: HolderState['source']): string {
  return source === 'live' ? 'reading the live stores' : 'reading the sample catalog';
}

/** @throws StartError when the running process reads another source than the one that was asked for */
function addressOf(
  holder: HolderState,
  { name }: NeededService,
  { STORE_SOURCE: wanted }: ServiceCommandSettings,
): string {
  const { source, pid } = holder;
  if (wanted !== undefined && wanted !== source)
    throw new StartError(
      `The Shelfwise that runs there (process ${pid}) has STORE_SOURCE=${source}, not ${wanted}. Unset STORE_SOURCE to use it, or stop it first.`,
    );
  const address = holder[name];
  if (!address)
    throw new StartError(
      `The Shelfwise that runs there (process ${pid}) does not say where its ${name} service is. Start it anew with this version.`,
    );
  return address;
}

async function onOwnServices<Result>(
  { name, state }: NeededService,
  deps: OnServiceDeps,
  source: 'sample' | 'live',
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  const run = createRun(deps.logger);
  try {
    const settings = { ...deps.settings, STORE_SOURCE: source };
    const services = await startServices({ ...deps, settings, run }, state);
    return await work(services[name]);
  } finally {
    run.stop(0);
    await run.ended;
  }
}
