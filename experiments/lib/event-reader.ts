import { localSocketPath } from '@shelfwise/embedded/local-socket';
import type { EventRecord } from '@shelfwise/runtime/events';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import mongoose, { type Connection } from 'mongoose';

/** Where the embedded database server of a data folder is, while a system runs on it. */
export function embeddedDatabaseUri(dataDir: string): string {
  return `mongodb://${encodeURIComponent(localSocketPath(dataDir, 'mongodb.sock'))}`;
}

/** One of its databases. */
export function openEmbeddedDatabase(dataDir: string, database: string): Promise<Connection> {
  return mongoose.createConnection(embeddedDatabaseUri(dataDir), { dbName: database }).asPromise();
}

/** The database in which the reader keeps what it has applied. */
export const readerDatabase = 'crash_reader';

/** What the reader made of one key: how often it changed it, and by which events. */
export type Applied = { _id: string; changes: number; events: Record<string, true> };

/**
 * A reader that applies each event once: the change and the event's id are one write. It counts every delivery too,
 * so that redeliveries show.
 */
export function createEventReader(connection: Connection) {
  const applied = connection.collection<Applied>('applied');
  const deliveries = connection.collection<{ _id: string; count: number }>('deliveries');
  return async function onEvent({ id, topic, key }: EventRecord): Promise<void> {
    await deliveries.updateOne({ _id: 'all' }, { $inc: { count: 1 } }, { upsert: true });
    try {
      await applied.updateOne(
        { _id: `${topic}|${key}`, [`events.${id}`]: { $exists: false } },
        { $set: { [`events.${id}`]: true }, $inc: { changes: 1 } },
        { upsert: true },
      );
    } catch (error) {
      // The document is there and has the event: applied before.
      if (!isDuplicateKey(error)) throw error;
    }
  };
}
