import { resolve } from 'node:path';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { makeDataFolder } from '@shelfwise/embedded/local-socket';
import { startEmbedded } from '@shelfwise/embedded/start-embedded';
import {
  type AccountCommand,
  type AccountResult,
  executeAccountCommand,
} from '@shelfwise/gateway/accounts/account-commands';
import { createAccounts } from '@shelfwise/gateway/accounts/accounts';
import { readPlans } from '@shelfwise/gateway/plans/plans';
import { AppError, isErrorCode } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { claimFolder, usable } from './claim-folder.ts';
import type { AccountSettings } from './config.ts';
import { askHolder, type ControlReply, databaseMark } from './control.ts';
import { findRunning } from './find-running.ts';

export type AccountCommandDeps = {
  settings: AccountSettings;
  logger: Logger;
  worker: URL;
  pid: number;
  /** one line for the operator about where the command runs */
  say(line: string): void;
};

/**
 * Carries a command out where the accounts are: in the process that holds the data folder if one runs, else in the
 * database of MONGODB_URI, else in the embedded one, opened for this command.
 * @throws AppError, StartError
 */
export async function runAccountCommand(
  command: AccountCommand,
  deps: AccountCommandDeps,
): Promise<AccountResult> {
  const wanted = resolve(deps.settings.SHELFWISE_DATA_DIR);
  const dataDir = await usable(wanted, () => makeDataFolder(wanted));
  const reply = await askRunning(dataDir, command, deps.settings);
  if (reply !== null) {
    deps.say(`carried out by the Shelfwise that runs on ${dataDir}`);
    return unwrap(reply);
  }
  const { MONGODB_URI: uri } = deps.settings;
  if (uri !== undefined) {
    deps.say('carried out on the database of MONGODB_URI');
    return onDatabase(uri, command, deps);
  }
  deps.say(`carried out on the data folder ${dataDir}; no Shelfwise runs on it`);
  return onDataFolder(dataDir, command, deps);
}

/**
 * The running process's answer; null when none runs. One that has begun to end before it answered is waited for.
 * @throws StartError when it keeps its accounts in another database than the one that the settings name
 */
async function askRunning(
  dataDir: string,
  command: AccountCommand,
  settings: AccountSettings,
): Promise<ControlReply | null> {
  for (;;) {
    if ((await findRunning(dataDir, settings)) === null) return null;
    const reply = await ask(controlSocketPath(dataDir), command);
    if (reply.status !== 503) return reply;
  }
}

async function ask(socketPath: string, command: AccountCommand): Promise<ControlReply> {
  try {
    return await askHolder(socketPath, '/accounts', command);
  } catch (cause) {
    const message =
      'The running Shelfwise ended or stood still before it answered. Run "list" to see what was done.';
    throw new StartError(message, { cause });
  }
}

function unwrap({ status, body }: ControlReply): AccountResult {
  const { result, error, code } = body as { result?: AccountResult; error?: string; code?: string };
  if (status === 200 && result) return result;
  const known = code !== undefined && isErrorCode(code) ? code : 'INTERNAL_ERROR';
  throw new AppError(known, error ?? 'The running Shelfwise could not carry the command out.');
}

async function onDataFolder(dataDir: string, command: AccountCommand, deps: AccountCommandDeps) {
  const holder = { state: 'account-command', pid: deps.pid, source: null } as const;
  const { release } = await claimFolder(dataDir, { ...holder, database: databaseMark(undefined) });
  try {
    const onFailure = (error: Error) => deps.logger.fatal({ err: error }, 'the embedded database has failed');
    const engine = await startEmbedded({ dataDir, worker: deps.worker, onFailure });
    try {
      return await onDatabase(engine.mongodbUri, command, deps);
    } finally {
      await engine.stop();
    }
  } finally {
    await release();
  }
}

async function onDatabase(uri: string, command: AccountCommand, deps: AccountCommandDeps) {
  const { settings, logger } = deps;
  const plans = await readPlans(settings.SHELFWISE_PLANS_FILE);
  const connection = await connectMongo({ uri, database: 'shelfwise_gateway', logger });
  try {
    const clocks = { now: () => new Date(), monotonicMs: () => performance.now() };
    const accounts = createAccounts({ connection, plans, logger, ...clocks });
    await prepareDatabase(connection);
    return await executeAccountCommand(command, accounts);
  } finally {
    await connection.close();
  }
}
