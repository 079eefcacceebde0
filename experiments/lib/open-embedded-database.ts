import { localSocketPath } from '@shelfwise/embedded/local-socket';
import mongoose, { type Connection } from 'mongoose';

/** The URI of the embedded database server of a data folder. The server answers while a system runs on the folder. */
export function embeddedDatabaseUri(dataDir: string): string {
  return `mongodb://${encodeURIComponent(localSocketPath(dataDir, 'mongodb.sock'))}`;
}

export function openEmbeddedDatabase(dataDir: string, database: string): Promise<Connection> {
  return mongoose.createConnection(embeddedDatabaseUri(dataDir), { dbName: database }).asPromise();
}
