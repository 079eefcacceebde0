import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import type { Logger } from '../log/logger.ts';
import { StartError } from '../process/start-error.ts';
import { currentTracing } from '../tracing/tracing.ts';
import { recordCommandSpans } from './command-spans.ts';
import { findInOneBatch } from './read/find-in-one-batch.ts';
import { stopTimersOfPools } from './stop-timers-of-pools.ts';

stopTimersOfPools();

/** What a connection to a server in the same process needs: options, and a change of the new connection. */
export type InProcessAccess = { options: ConnectOptions; adopt(connection: Connection): void };

/**
 * Connects to one database. Filters are not sanitized: handlers only pass strings and numbers.
 * @throws StartError when the database does not answer within 5 seconds
 */
export async function connectMongo(options: {
  uri: string;
  database: string;
  logger: Logger;
  /** How to reach the server at the address within this process. */
  inProcess?: InProcessAccess | undefined;
}): Promise<Connection> {
  const { uri, database, inProcess } = options;
  const tracing = currentTracing();
  const connectOptions: ConnectOptions = {
    ...connectionOptions(uri),
    ...inProcess?.options,
    dbName: database,
  };
  if (tracing !== null) connectOptions.monitorCommands = true;
  const connection = mongoose.createConnection(uri, connectOptions);
  inProcess?.adopt(connection);
  connection.plugin(findInOneBatch);
  let hasConnected = false;
  connection.on('error', (error: Error) => {
    if (hasConnected) options.logger.error({ reason: error.message }, 'database connection error');
  });
  let isClosing = false;
  connection.on('connected', () => {
    hasConnected = true;
  });
  connection.on('disconnecting', () => {
    isClosing = true;
  });
  connection.on('disconnected', () => {
    if (hasConnected && !isClosing) options.logger.warn('database connection lost');
  });
  connection.on('reconnected', () => options.logger.info('database connection restored'));
  try {
    await connection.asPromise();
    if (tracing !== null) recordCommandSpans(connection.getClient(), tracing);
    return connection;
  } catch (cause) {
    // The driver's message may contain the password of the address.
    throw new StartError(
      `The database cannot be reached (${nameOf(cause)}). Check that it runs and that MONGODB_URI is correct.`,
      {
        cause,
      },
    );
  }
}

/**
 * The options of every connection. Those that decide what a write and a read promise win over the ones in the address.
 *
 * A write is acknowledged when most members of a replica set have it on disk, so that it survives a crash and a change of
 * the primary. A read sees only such writes: an event of a write that is later rolled back would tell of a change that
 * never happened.
 */
export function connectionOptions(uri: string): ConnectOptions {
  const options: ConnectOptions = {
    serverSelectionTimeoutMS: 5000,
    connectTimeoutMS: 5000,
    maxPoolSize: 20,
    autoIndex: false,
    autoCreate: false,
    // Both forms: an address may have any of `w`, `j` and `journal`, each of which wins over the other form.
    w: 'majority',
    journal: true,
    writeConcern: { w: 'majority', j: true },
    readConcernLevel: 'majority',
    readPreference: 'primary',
  };
  const source = authSourceOf(uri);
  if (source !== null) options.authSource = source;
  return options;
}

/**
 * Where the user of the address is defined: in the database of the address, else in `admin`, as with every tool of
 * MongoDB. Without this, the driver would look in the database that is opened. Null: the address says so itself, or needs
 * none.
 */
function authSourceOf(uri: string): string | null {
  const [, credentials, database = ''] = uri.match(/^[a-z+]+:\/\/([^/?]*)@[^/?]+\/?([^?]*)/) ?? [];
  if (credentials === undefined || /[?&]auth(Source|Mechanism)=/i.test(uri)) return null;
  try {
    return decodeURIComponent(database) || 'admin';
  } catch {
    // The driver itself reports a percent sign that encodes nothing.
    return null;
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
