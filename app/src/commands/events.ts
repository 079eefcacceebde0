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
  parseCursor,
} from '@shelfwise/runtime/events/event-admin';
import { openEventAdmin } from '@shelfwise/runtime/events/open-event-bus';
import { createLogger, type Logger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { readConfig } from '@shelfwise/runtime/process/config';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { type EventsSettings, eventsConfig } from '../config.ts';
import { claimFolder } from '../data-folder/claim-folder.ts';
import { callControlSocket, databaseFingerprint } from '../data-folder/control-socket.ts';
import { findRunningProcess } from '../data-folder/find-running-process.ts';
import { openEmbedded } from '../data-folder/open-embedded.ts';
import { databaseOfSource, eventsSchema } from '../start/open-databases.ts';
import { type CommandRun, defineCommand } from './lib/define-command.ts';
import { formatTable } from './lib/format-table.ts';
import { startIfMain } from './lib/start-if-main.ts';

/** The options of each command, in addition to --json. */
const optionsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['lag', []],
  ['dead-letters list', ['group', 'limit', 'after']],
  ['dead-letters replay', ['group', 'id', 'all']],
  ['dead-letters discard', ['group', 'id']],
]);
const defaultLimit = 50;
const longestList = 1000;

/**
 * Shows events that could not be applied, and applies them again: on the brokers of KAFKA_BROKERS, else in the system that
 * runs on the data folder, else on the embedded bus of the folder, which is opened for this command.
 */
export const events = defineCommand({
  usage: `Usage: npm run events -- dead-letters list [--group GROUP] [--limit N] [--after CURSOR] [--json]
       npm run events -- dead-letters replay [--group GROUP] (--id ID... | --all) [--json]
       npm run events -- dead-letters discard [--group GROUP] --id ID... [--json]
       npm run events -- lag [--json]

A dead letter is an event that a service could not apply on any attempt. It is kept until it is replayed (delivered
again to that service only) or discarded (never applied). The lag is how many events a service has not handled yet.

  --group GROUP   tracking, scoring, chart or notify; default: all
  --limit N       list at most N, the oldest first, 1 to 1000; default: 50
  --after CURSOR  list what follows; each page ends with the cursor of the next one
  --id ID         replay or discard this event; repeatable
  --all           replay all of them
  --json          print one JSON document
  --help          print this help

With KAFKA_BROKERS the command asks the brokers; otherwise the Shelfwise that runs on SHELFWISE_DATA_DIR, or the data
folder itself when none runs. An npm start on sample data has topics of its own on Kafka: ask it without KAFKA_BROKERS.`,
  options: {
    group: { type: 'string' },
    limit: { type: 'string' },
    after: { type: 'string' },
    id: { type: 'string', multiple: true },
    all: { type: 'boolean' },
  },
  hasWords: true,
  read: (values, words) => toCommand(words.join(' '), values),
  run: async (command, host) => ({ result: await execute(command, host) }),
  format: formatEventsResult,
});

type Values = {
  group?: string | undefined;
  limit?: string | undefined;
  after?: string | undefined;
  id?: string[] | undefined;
  all?: boolean | undefined;
};

/** @throws Error with a sentence for the user */
function toCommand(words: string, values: Values): EventsCommand {
  const possible = optionsOf.get(words);
  if (!possible)
    throw new Error('Use "dead-letters list", "dead-letters replay", "dead-letters discard" or "lag".');
  const impossible = Object.keys(values).find((name) => !possible.includes(name));
  if (impossible) throw new Error(`"${words}" has no option --${impossible}.`);
  const { group = null, limit, after = null, id, all } = values;
  if (words === 'lag') return { name: 'lag' };
  if (words === 'dead-letters list') {
    const count = Number(limit ?? defaultLimit);
    if (!Number.isInteger(count) || count < 1 || count > longestList)
      throw new Error(`--limit must be a whole number from 1 to ${longestList}.`);
    if (after !== null && parseCursor(after) === null)
      throw new Error('--after must be the cursor that a page of the list ends with.');
    return { name: 'list', group, limit: count, after };
  }
  if (words === 'dead-letters discard') {
    if (id === undefined) throw new Error('Use --id: a discarded event is lost, so that each is named.');
    return { name: 'discard', group, ids: id };
  }
  if ((id === undefined) === (all !== true)) throw new Error('Use either --id or --all.');
  return { name: 'replay', group, ids: id ?? null };
}

async function execute(command: EventsCommand, host: CommandRun): Promise<EventsResult> {
  const { env, stderr, print } = host;
  const settings = readConfig(eventsConfig, env);
  const logger = createLogger({ name: 'events', level: 'error', destination: stderr });
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
    return executeInRunningProcess(controlSocketPath(dataDir), command);
  }
  if (!existsSync(databaseFile(dataDir)))
    throw new StartError(
      `The data folder ${dataDir} has no events: it has no database. Set SHELFWISE_DATA_DIR to another folder, or KAFKA_BROKERS.`,
    );
  print(`using the data folder ${dataDir}; no Shelfwise runs on it`);
  return executeOnDataFolder(dataDir, command, { settings, logger, host });
}

async function executeInRunningProcess(socketPath: string, command: EventsCommand): Promise<EventsResult> {
  const { status, body } = await callControlSocket(socketPath, '/events', command).catch((cause: unknown) => {
    throw new StartError('The running Shelfwise stopped or did not answer. The command can be repeated.', {
      cause,
    });
  });
  const { result, error } = body as { result?: EventsResult; error?: string };
  if (status === 200 && result) return result;
  throw new StartError(error ?? 'The running Shelfwise could not execute the command.');
}

async function executeOnDataFolder(
  dataDir: string,
  command: EventsCommand,
  { settings, logger, host: { worker, pid } }: { settings: EventsSettings; logger: Logger; host: CommandRun },
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
      return await executeEventsCommand(command, createEmbeddedEventAdmin(log, []));
    } finally {
      await connection.close();
      await engine.stop();
    }
  } finally {
    await release();
  }
}

function formatEventsResult(result: EventsResult): string {
  if ('replayed' in result)
    return `Published ${result.replayed} dead ${nounFor(result.replayed, 'letter')} again.`;
  if ('discarded' in result)
    return `Discarded ${result.discarded} dead ${nounFor(result.discarded, 'letter')}.`;
  if ('lag' in result) {
    const rows = result.lag.map(({ group, topic, lag, members }) => [
      group,
      topic,
      lag.toLocaleString('en-US'),
      members === null ? '-' : String(members),
    ]);
    return rows.length === 0
      ? 'No group has consumed events yet.'
      : formatTable(['group', 'topic', 'lag', 'members'], rows);
  }
  const { dead_letters: letters, total, next } = result;
  if (total === 0) return 'There are no dead letters.';
  const rows = letters.map(({ group, id, topic, key, attempts, failed_at: failedAt, error }) => [
    failedAt,
    group,
    topic,
    key,
    id,
    String(attempts),
    error,
  ]);
  const head = ['failed at', 'group', 'topic', 'key', 'id', 'attempts', 'error'];
  const more = next === null ? '' : `; the next page: --after ${next}`;
  const shown = `\n${letters.length} of ${total.toLocaleString('en-US')}${more}`;
  return formatTable(head, rows) + (letters.length < total ? shown : '');
}

startIfMain(import.meta.filename, events);
