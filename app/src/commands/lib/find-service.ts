import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartError } from '@shelfwise/runtime/process/start-error';
import type { ServiceCommandSettings } from '../../config.ts';
import type { ProcessState } from '../../data-folder/control-socket.ts';
import { findRunningProcess } from '../../data-folder/find-running-process.ts';

/** The service that a command calls. */
export type NeededService = {
  name: 'tracking' | 'scoring';
  /** The setting with the address (host:port) of a service that runs alone. */
  setting: 'TRACKING_ADDRESS' | 'SCORING_ADDRESS';
  /** The value of that setting; undefined when it is not set. */
  address: string | undefined;
};

export type FindServiceDeps = {
  settings: ServiceCommandSettings;
  /** prints where the command runs, for the operator */
  print(line: string): void;
};

/**
 * The address of the service: the one in the settings, else that of the system that runs on the data folder.
 * @throws StartError when no system runs, or it has another store source or database than the settings
 */
export async function findService(
  { name, setting, address }: NeededService,
  { settings, print }: FindServiceDeps,
): Promise<string> {
  if (address !== undefined) {
    print(`using the ${name} service on ${address}`);
    return address;
  }
  const folder = resolve(settings.SHELFWISE_DATA_DIR);
  const running = existsSync(folder) ? await findRunningProcess(folder, settings) : null;
  if (running === null)
    throw new StartError(
      `No Shelfwise runs on ${folder}. Start it with "npm start", or set ${setting} to the address of a running ${name} service.`,
    );
  const { source, pid } = running;
  const requested = settings.STORE_SOURCE ?? source;
  if (requested !== source)
    throw new StartError(
      `The running Shelfwise (process ${pid}) has STORE_SOURCE=${source}, not ${requested}. Unset STORE_SOURCE to use it, or stop it first.`,
    );
  print(`using the Shelfwise that runs on ${folder} (${describeSource(source)})`);
  return requireAddress(running, name);
}

function describeSource(source: ProcessState['source']): string {
  return source === 'live' ? 'live stores' : 'sample catalog';
}

function requireAddress(running: ProcessState, name: NeededService['name']): string {
  const address = running[name];
  if (!address) throw new Error(`the running system reports no address of its ${name} service`);
  return address;
}
