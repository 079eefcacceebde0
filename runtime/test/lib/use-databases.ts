import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { connectMongo } from '../../src/mongo/connect-mongo.ts';
import { createRecordingLogger } from '../recording-logger.ts';

/**
 * New databases for each test of a file, dropped after it. Their names start with `prefix`. Every connection gets the
 * models, as each copy (process) of a service has its own.
 */
export function useDatabases(prefix: string, createModels: (connection: Connection) => void = () => {}) {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  });
  const uri = useDatabaseServer();

  /** Another copy on the database of this name. */
  async function connectCopy(database: string): Promise<Connection> {
    const { logger } = createRecordingLogger();
    const connection = await connectMongo({ uri: uri(), database, logger });
    cleanups.push(() => connection.close());
    createModels(connection);
    return connection;
  }

  /** A new database, empty. */
  async function createDatabase(): Promise<Connection> {
    const connection = await connectCopy(`${prefix}_${randomUUID().slice(0, 18)}`);
    cleanups.push(() => connection.dropDatabase());
    return connection;
  }

  return { connectCopy, createDatabase };
}
