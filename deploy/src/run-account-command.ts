import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { connectMongo, createIndexes } from '@shelfwise/runtime/mongo';
import { claimFolder } from './claim-folder.ts';
import type { AccountSettings } from './config.ts';
import { askHolder, type ControlReply } from './control.ts';

export type AccountCommandDeps = {
  settings: AccountSettings;
  logger: Logger;
  worker: URL;
  pid: number;
  /** one line for the operator about where the command runs */
  say(line: string): void;
};

const waitForHolderMs = 10_000;

/**
 * Carries a command out where the accounts are: in the process that holds the data folder if one runs, else in the
 * database of MONGODB_URI, else in the embedded one, opened for this command.
 * @throws AppError, FolderTakenError
 */
export async function runAccountCommand(
  command: AccountCommand,
  deps: AccountCommandDeps,
): Promise<AccountResult> {
  const dataDir = makeDataFolder(resolve(deps.settings.SHELFWISE_DATA_DIR));
  const reply = await askRunning(controlSocketPath(dataDir), command);
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

/** The running process's answer; null when none runs. One that starts or ends is waited for. */
async function askRunning(socketPath: string, command: AccountCommand): Promise<ControlReply | null> {
  const giveUpAt = Date.now() + waitForHolderMs;
  for (;;) {
    const reply = await askHolder(socketPath, '/accounts', command).catch(asNobody);
    if (reply === null || reply.status !== 503 || Date.now() > giveUpAt) return reply;
    await sleep(200);
  }
}

/** Nobody listens: no such name, or the name of a process that is gone. */
function asNobody(error: unknown): null {
  const { code } = error as { code?: unknown };
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
  throw error;
}

function unwrap({ status, body }: ControlReply): AccountResult {
  const { result, error, code } = body as { result?: AccountResult; error?: string; code?: string };
  if (status === 200 && result) return result;
  const known = code !== undefined && isErrorCode(code) ? code : 'INTERNAL_ERROR';
  throw new AppError(known, error ?? 'The running Shelfwise could not carry the command out.');
}

async function onDataFolder(dataDir: string, command: AccountCommand, deps: AccountCommandDeps) {
  const { control, release } = await claimFolder(dataDir, deps.pid);
  control.say({ state: 'account-command', url: null });
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
    await createIndexes(connection);
    return await executeAccountCommand(command, accounts);
  } finally {
    await connection.close();
  }
}
