import { resolve } from 'node:path';
import { makeDataFolder } from '@shelfwise/embedded/local-socket';
import type { Logger } from '@shelfwise/runtime/logger';
import { createRun } from '@shelfwise/runtime/process/run';
import { StartError } from '@shelfwise/runtime/process/start-error';
import type { ServiceCommandSettings } from '../config.ts';
import { wrapFolderErrors } from '../data-folder/claim-folder.ts';
import type { CommandState, ProcessState } from '../data-folder/control-socket.ts';
import { findRunningProcess } from '../data-folder/find-running-process.ts';
import { databaseOfSource } from '../start/open-databases.ts';
import { startServices } from '../start/start-services.ts';

/** The service that a command calls, and how to find or start it. */
export type NeededService = {
  name: 'tracking' | 'scoring';
  /** The setting with the address (host:port) of a service that runs alone. */
  setting: 'TRACKING_ADDRESS' | 'SCORING_ADDRESS';
  /** The value of that setting; undefined when it is not set. */
  address: string | undefined;
  /** The name of the service's database for live data, as `databaseOfSource` expects it. */
  database: string;
  /** The state that the control socket reports while the command runs its own services. */
  state: CommandState;
};

export type WithServiceDeps = {
  settings: ServiceCommandSettings;
  logger: Logger;
  /** the entry file of the embedded database's thread */
  worker: URL;
  process: { pid: number; nodeVersion: string };
  /** prints where the command runs, for the operator */
  print(line: string): void;
};

/**
 * Calls `work` with the address of the service: the address in the settings, else the service of the system that runs
 * on the data folder. When none runs, starts all services in this process and stops them afterwards; `doneBy` is then
 * `command`.
 * @throws StartError, or what `work` throws
 */
export async function withService<Result>(
  needed: NeededService,
  deps: WithServiceDeps,
  work: (address: string) => Promise<Result>,
): Promise<{ result: Result; doneBy: 'service' | 'command' }> {
  const { settings, print } = deps;
  if (needed.address !== undefined) {
    print(`using the ${needed.name} service on ${needed.address}`);
    return { result: await work(needed.address), doneBy: 'service' };
  }
  const folder = resolve(settings.SHELFWISE_DATA_DIR);
  const dataDir = await wrapFolderErrors(folder, () => makeDataFolder(folder));
  const running = await findRunningProcess(dataDir, settings);
  if (running !== null) {
    print(`using the Shelfwise that runs on ${dataDir} (${describeSource(running.source)})`);
    return { result: await work(serviceAddress(running, needed, settings)), doneBy: 'service' };
  }
  const source = settings.STORE_SOURCE ?? 'sample';
  const where =
    settings.MONGODB_URI === undefined
      ? `the data folder ${dataDir}`
      : `the database ${databaseOfSource(needed.database, source)} of MONGODB_URI; set ${needed.setting} to use a running service instead`;
  print(`no Shelfwise runs on ${dataDir}; starting the services on ${where} (${describeSource(source)})`);
  return { result: await withServicesInThisProcess(needed, deps, source, work), doneBy: 'command' };
}

function describeSource(source: ProcessState['source']): string {
  return source === 'live' ? 'live stores' : 'sample catalog';
}

/** @throws StartError when the running system reads another source than STORE_SOURCE */
function serviceAddress(
  running: ProcessState,
  { name }: NeededService,
  settings: ServiceCommandSettings,
): string {
  const { source, pid } = running;
  const requested = settings.STORE_SOURCE ?? source;
  if (requested !== source)
    throw new StartError(
      `The running Shelfwise (process ${pid}) has STORE_SOURCE=${source}, not ${requested}. Unset STORE_SOURCE to use it, or stop it first.`,
    );
  const address = running[name];
  if (!address)
    throw new StartError(
      `The running Shelfwise (process ${pid}) does not report the address of its ${name} service. Restart it with this version.`,
    );
  return address;
}

async function withServicesInThisProcess<Result>(
  { name, state }: NeededService,
  deps: WithServiceDeps,
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
