import mongoose, { type Connection } from 'mongoose';
import type { Logger } from './logger.ts';
import { PartState, type StatusCheck } from './status.ts';

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
  return connection.asPromise();
}

/** Makes sure that every model of the connection has its collection and indexes. */
export async function createIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

/** Whether the database answers. */
export function databaseStatus(connection: Connection, isEmbedded: boolean): StatusCheck {
  return async () => {
    await connection.db?.command({ ping: 1 });
    const detail = isEmbedded ? 'embedded, answers' : 'answers';
    return { name: 'database', state: PartState.OK, detail, is_embedded: isEmbedded };
  };
}

/** A unique index refused the write; FerretDB reports it on an update with code 1. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  return code === 11000 || (code === 1 && /duplicate|UNIQUE/i.test(error.message));
}
