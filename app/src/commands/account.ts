import { resolve } from 'node:path';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { makeDataFolder } from '@shelfwise/embedded/local-socket';
import {
  type AccountCommand,
  type AccountResult,
  accountOptions,
  accountUsage,
  executeAccountCommand,
  formatAccountResult,
  toAccountCommand,
} from '@shelfwise/gateway/accounts/account-commands';
import { createAccounts } from '@shelfwise/gateway/accounts/accounts';
import { createSignInLinks } from '@shelfwise/gateway/dashboard/sign-in-links';
import { publishKeyVersion } from '@shelfwise/gateway/limits/publish-key-version';
import { createRedisLimits } from '@shelfwise/gateway/limits/redis-limits';
import { readPlans } from '@shelfwise/gateway/plans/plans';
import { gatewayDatabase, gatewaySchema } from '@shelfwise/gateway/schema';
import { AppError, type ErrorDetails, isErrorCode } from '@shelfwise/runtime/errors';
import { createLogger, type Logger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import { readConfig } from '@shelfwise/runtime/process/config';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { connectRedis } from '@shelfwise/runtime/redis/connect-redis';
import { readRedisTls } from '@shelfwise/runtime/redis/redis-settings';
import { type AccountSettings, accountConfig } from '../config.ts';
import { claimFolder, wrapFolderErrors } from '../data-folder/claim-folder.ts';
import { type ControlReply, callControlSocket, databaseFingerprint } from '../data-folder/control-socket.ts';
import { findRunningProcess } from '../data-folder/find-running-process.ts';
import { type DatabaseFailure, openEmbedded } from '../data-folder/open-embedded.ts';
import { defineCommand } from './lib/define-command.ts';
import { startIfMain } from './lib/start-if-main.ts';

/** Creates, lists, changes and deletes accounts. */
export const account = defineCommand({
  usage: accountUsage,
  options: accountOptions,
  hasWords: true,
  read: (values, words) => toAccountCommand(words, values),
  async run(command, { env, worker, pid, stderr, print }) {
    const settings = readConfig(accountConfig, env);
    const logger = createLogger({ name: 'account', level: 'warn', destination: stderr });
    return { result: await runAccountCommand(command, { settings, logger, worker, pid, print }) };
  },
  format: (result, command) => formatAccountResult(command, result),
});

type AccountCommandDeps = {
  settings: AccountSettings;
  logger: Logger;
  /** the entry file of the embedded database's thread */
  worker: URL;
  pid: number;
  /** prints where the command runs, for the operator */
  print(line: string): void;
};

/**
 * Executes a command in the system that runs on the data folder, else on the database of MONGODB_URI, else on the
 * embedded database, which is opened for this command.
 * @throws AppError, StartError
 */
export async function runAccountCommand(
  command: AccountCommand,
  deps: AccountCommandDeps,
): Promise<AccountResult> {
  const folder = resolve(deps.settings.SHELFWISE_DATA_DIR);
  const dataDir = await wrapFolderErrors(folder, () => makeDataFolder(folder));
  const reply = await runInRunningProcess(dataDir, command, deps.settings);
  if (reply !== null) {
    deps.print(`using the Shelfwise that runs on ${dataDir}`);
    return toResult(reply);
  }
  const { MONGODB_URI: uri } = deps.settings;
  if (uri !== undefined) {
    deps.print('using the database of MONGODB_URI');
    return runOnDatabase(uri, command, deps);
  }
  deps.print(`using the data folder ${dataDir}; no Shelfwise runs on it`);
  return runOnDataFolder(dataDir, command, deps);
}

/**
 * The reply of the running system; null when none runs. A system that begins to stop answers 503: then
 * `findRunningProcess` waits for its end.
 * @throws StartError when it uses another database than MONGODB_URI, is not ready in time, or does not answer
 */
async function runInRunningProcess(
  dataDir: string,
  command: AccountCommand,
  settings: AccountSettings,
): Promise<ControlReply | null> {
  for (;;) {
    if ((await findRunningProcess(dataDir, settings)) === null) return null;
    const reply = await sendCommand(controlSocketPath(dataDir), command);
    if (reply.status !== 503) return reply;
  }
}

async function sendCommand(socketPath: string, command: AccountCommand): Promise<ControlReply> {
  try {
    return await callControlSocket(socketPath, '/accounts', command);
  } catch (cause) {
    const message =
      'The running Shelfwise stopped or did not answer. Run "npm run account -- list" to see whether the command took effect.';
    throw new StartError(message, { cause });
  }
}

function toResult({ status, body }: ControlReply): AccountResult {
  const { result, error, code, details } = body as {
    result?: AccountResult;
    error?: string;
    code?: string;
    details?: ErrorDetails;
  };
  if (status === 200 && result) return result;
  const errorCode = code !== undefined && isErrorCode(code) ? code : 'INTERNAL_ERROR';
  const message = error ?? 'The running Shelfwise could not execute the command.';
  throw new AppError(errorCode, message, details ? { details } : {});
}

async function runOnDataFolder(dataDir: string, command: AccountCommand, deps: AccountCommandDeps) {
  const { release } = await claimFolder(dataDir, {
    state: 'running a command',
    pid: deps.pid,
    source: null,
    // Without a URI: the embedded database.
    database: databaseFingerprint({}),
  });
  try {
    const { engine, failed } = await openForCommand(dataDir, deps.worker);
    try {
      return await Promise.race([runOnDatabase(engine.mongodbUri, command, deps), failed]);
    } finally {
      await engine.stop();
    }
  } finally {
    await release();
  }
}

/** `failed` rejects with a StartError when the database fails. */
async function openForCommand(dataDir: string, worker: URL) {
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // The caller of this function handles the failure.
  failed.catch(() => {});
  const onFailure = ({ sentence, cause }: DatabaseFailure) => fail(new StartError(sentence, { cause }));
  return { engine: await openEmbedded({ dataDir, worker, onFailure }), failed };
}

async function runOnDatabase(uri: string, command: AccountCommand, deps: AccountCommandDeps) {
  const { settings, logger } = deps;
  const keyVersions = createKeyVersions(deps);
  const plans = await readPlans(settings.SHELFWISE_PLANS_FILE);
  const connection = await connectMongo({
    uri,
    database: databaseName(settings.MONGODB_PREFIX, gatewayDatabase),
    logger,
  });
  try {
    const clocks = { now: () => new Date(), monotonicMs: () => performance.now() };
    const accounts = createAccounts({
      connection,
      plans,
      logger,
      isOnlyWriter: false,
      ...clocks,
      onKeyReplaced: keyVersions.publish,
    });
    await prepareDatabase(connection, gatewaySchema);
    const signInLinks = createSignInLinks({
      connection,
      accounts,
      publicUrl: () => settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
      now: clocks.now,
    });
    return await executeAccountCommand(command, accounts, settings.DASHBOARD ? signInLinks : null);
  } finally {
    await keyVersions.close();
    await connection.close();
  }
}

/** Tells Redis of new keys, over one connection, so that gateways refuse the old ones when the command returns. */
function createKeyVersions({ settings, logger }: AccountCommandDeps) {
  const tls = readRedisTls(settings);
  const { REDIS_URL: address, REDIS_PREFIX: prefix } = settings;
  let connecting: ReturnType<typeof connectRedis> | null = null;
  return {
    async publish(accountId: string, keyVersion: number): Promise<void> {
      if (address === undefined) return;
      connecting ??= connectRedis({ address, prefix, tls, logger, metrics: createMetrics() });
      await publishKeyVersion(
        { accountId, keyVersion },
        { redis: createRedisLimits(await connecting), logger },
      );
    },
    async close(): Promise<void> {
      // One that was not made has failed `publish`.
      (await connecting?.catch(() => null))?.close();
    },
  };
}

startIfMain(import.meta.filename, account);
