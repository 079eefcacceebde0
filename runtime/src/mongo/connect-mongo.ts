import mongoose, { type Connection } from 'mongoose';
import type { Logger } from '../logger.ts';
import { StartError } from '../process/start-error.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import { hideDriverError } from './database-errors.ts';

/**
 * A connection to one database. Writes are acknowledged once they are on disk, so that an acknowledged write survives
 * a crash. Filters are taken as they stand: values from clients are strings and numbers long before they get here.
 */
export async function connectMongo(options: {
  uri: string;
  database: string;
  logger: Logger;
}): Promise<Connection> {
  const connection = mongoose.createConnection(options.uri, {
    dbName: options.database,
    serverSelectionTimeoutMS: 5000,
    connectTimeoutMS: 5000,
    maxPoolSize: 20,
    autoIndex: false,
    autoCreate: false,
    writeConcern: { w: 'majority', journal: true },
  });
  connection.on('error', (error: Error) => options.logger.error({ reason: error.message }, 'database'));
  let isClosing = false;
  connection.on('disconnecting', () => {
    isClosing = true;
  });
  connection.on('disconnected', () => {
    if (!isClosing) options.logger.warn('the database connection is lost');
  });
  connection.on('reconnected', () => options.logger.info('the database connection is back'));
  try {
    return await connection.asPromise();
  } catch (cause) {
    // The driver's sentence may hold the password of the address.
    throw new StartError(
      `The database cannot be reached (${nameOf(cause)}). Is it up, and is MONGODB_URI right?`,
      {
        cause,
      },
    );
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}

/** Whether the database answers. The driver's own words name inner addresses, and a health page is for everybody. */
export function databaseStatus(connection: Connection, isEmbedded: boolean): StatusCheck {
  return async () => {
    await hideDriverError(ping(connection));
    const detail = isEmbedded ? 'embedded, answers' : 'answers';
    return { name: 'database', state: PartState.OK, detail, is_embedded: isEmbedded };
  };
}

async function ping({ db }: Connection): Promise<void> {
  if (!db) throw new Error('the connection is closed');
  await db.command({ ping: 1 });
}
