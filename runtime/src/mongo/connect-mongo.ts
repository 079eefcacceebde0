import mongoose, { type Connection } from 'mongoose';
import type { Logger } from '../logger.ts';
import { StartError } from '../process/start-error.ts';
import { findInOneBatch } from './find-in-one-batch.ts';

/**
 * Connects to one database. Writes are acknowledged once they are on disk, so that they survive a crash. Filters are
 * not sanitized: handlers only pass strings and numbers.
 * @throws StartError when the database does not answer within 5 seconds
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
  connection.plugin(findInOneBatch);
  connection.on('error', (error: Error) =>
    options.logger.error({ reason: error.message }, 'database connection error'),
  );
  let isClosing = false;
  connection.on('disconnecting', () => {
    isClosing = true;
  });
  connection.on('disconnected', () => {
    if (!isClosing) options.logger.warn('database connection lost');
  });
  connection.on('reconnected', () => options.logger.info('database connection restored'));
  try {
    return await connection.asPromise();
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

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
