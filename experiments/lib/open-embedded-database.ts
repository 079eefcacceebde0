import { localSocketPath } from '@shelfwise/embedded/local-socket';
import mongoose, { type Connection } from 'mongoose';

/** The URI of the embedded database server of a data folder. The server answers while a system runs on the folder. */
export function embeddedDatabaseUri(dataDir: string): string {
  return `mongodb://${encodeURIComponent(localSocketPath(dataDir, 'mongodb.sock'))}`;
}

/**
 * The system prepares its collections and indexes itself. It remembers rows: what is written here to one that it has looked at is
 * seen only after its own next change of the row.
 */
export function openEmbeddedDatabase(dataDir: string, database: string): Promise<Connection> {
  const options = { dbName: database, autoIndex: false, autoCreate: false };
  return mongoose.createConnection(embeddedDatabaseUri(dataDir), options).asPromise();
}
