import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createEmbeddedEventAdmin } from '@shelfwise/embedded/bus/embedded-event-admin';
import { createEventLog } from '@shelfwise/embedded/bus/event-log';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { databaseFile } from '@shelfwise/embedded/start-engine';
import {
  type EventsCommand,
  type EventsResult,
  executeEventsCommand,
} from '@shelfwise/runtime/events/event-admin';
import { openEventAdmin } from '@shelfwise/runtime/events/open-event-bus';
import type { Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { StartError } from '@shelfwise/runtime/process/start-error';
import type { EventsSettings } from '../config.ts';
import { claimFolder } from '../data-folder/claim-folder.ts';
import { callControlSocket, databaseFingerprint } from '../data-folder/control-socket.ts';
import { findRunningProcess } from '../data-folder/find-running-process.ts';
import { openEmbedded } from '../data-folder/open-embedded.ts';
import { databaseOfSource, eventsSchema } from '../start/open-databases.ts';

export type EventsCommandDeps = {
  settings: EventsSettings;
  logger: Logger;
  /** the entry file of the embedded database's thread */
  worker: URL;
  pid: number;
  /** prints where the command runs, for the operator */
  print(line: string): void;
};

/**
 * Executes a command on the brokers of KAFKA_BROKERS, else in the system that runs on the data folder, else on the
 * embedded bus of the folder, which is opened for this command.
 * @throws StartError
 */
export async function runEventsCommand(
  command: EventsCommand,
  deps: EventsCommandDeps,
): Promise<EventsResult> {
  const { settings, logger, print } = deps;
  const kafka = await openEventAdmin(settings, logger);
  if (kafka) {
    print('using the brokers of KAFKA_BROKERS');
    return executeEventsCommand(command, kafka).catch((cause: Error) => {
      throw new StartError(
        `The brokers did not execute the command (${cause.message}). Check that they run and that the KAFKA_ settings are correct; the command can be repeated.`,
        { cause },
      );
    });
  }
  const dataDir = resolve(settings.SHELFWISE_DATA_DIR);
  if (existsSync(dataDir) && (await findRunningProcess(dataDir, settings))) {
    print(`using the Shelfwise that runs on ${dataDir}`);
    return runInRunningProcess(controlSocketPath(dataDir), command);
  }
  if (!existsSync(databaseFile(dataDir)))
    throw new StartError(
      `The data folder ${dataDir} has no events: it has no database. Set SHELFWISE_DATA_DIR to another folder, or KAFKA_BROKERS.`,
    );
  print(`using the data folder ${dataDir}; no Shelfwise runs on it`);
  return runOnDataFolder(dataDir, command, deps);
}

async function runInRunningProcess(socketPath: string, command: EventsCommand): Promise<EventsResult> {
  const { status, body } = await callControlSocket(socketPath, '/events', command).catch((cause: unknown) => {
    throw new StartError('The running Shelfwise stopped or did not answer. The command can be repeated.', {
      cause,
    });
  });
  const { result, error } = body as { result?: EventsResult; error?: string };
  if (status === 200 && result) return result;
  throw new StartError(error ?? 'The running Shelfwise could not execute the command.');
}

async function runOnDataFolder(
  dataDir: string,
  command: EventsCommand,
  { settings, logger, worker, pid }: EventsCommandDeps,
): Promise<EventsResult> {
  const { release } = await claimFolder(dataDir, {
    state: 'running a command',
    pid,
    source: null,
    database: databaseFingerprint({}),
  });
  try {
    // A database that fails rejects the commands that wait for it.
    const engine = await openEmbedded({ dataDir, worker, onFailure: () => {} });
    const name = databaseOfSource(eventsSchema.database, settings.STORE_SOURCE);
    const database = databaseName(settings.MONGODB_PREFIX, name);
    const connection = await connectMongo({ uri: engine.mongodbUri, database, logger });
    try {
      // An empty database, too, must say which version made it, or no start accepts it.
      await prepareDatabase(connection, eventsSchema);
      const log = await createEventLog({ connection, now: () => new Date() });
      return await executeEventsCommand(
        command,
        createEmbeddedEventAdmin(log, () => {}),
      );
    } finally {
      await connection.close();
      await engine.stop();
    }
  } finally {
    await release();
  }
}
