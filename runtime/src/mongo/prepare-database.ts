import type { Connection } from 'mongoose';
import { StartError } from '../process/start-error.ts';
import { createProvenanceStore, provenanceCollection } from './provenance-store.ts';

/**
 * The version of the stored data. Raise it when the name or the meaning of a stored field changes, or the encoding of an
 * event: an outbox and the event bus store encoded events, which another encoding cannot read.
 */
const layout = '3';

/**
 * Creates the collections and indexes of every model of the connection. A database with another layout is refused:
 * until the first release, stored data is not migrated.
 * @throws StartError
 */
export async function prepareDatabase(connection: Connection): Promise<void> {
  await refuseOtherLayout(connection);
  const stored = await createProvenanceStore(connection).setIfAbsent('layout', layout);
  if (stored !== layout) throw otherLayout(connection);
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

/**
 * Refuses a database with another layout, and writes nothing. A process with several databases checks all of them before
 * it prepares the first, so that the version that made them can still use them.
 * @throws StartError
 */
export async function refuseOtherLayout(connection: Connection): Promise<void> {
  const stored = await createProvenanceStore(connection).find('layout');
  if (stored === layout || (stored === null && (await isNew(connection)))) return;
  throw otherLayout(connection);
}

function otherLayout(connection: Connection): StartError {
  return new StartError(
    `The database ${connection.name} was made by another version of Shelfwise: delete the data folder ` +
      '(SHELFWISE_DATA_DIR) or, if the database is on the server of MONGODB_URI, use a server without it, and start again.',
  );
}

/**
 * The provenance collection does not count: another copy that is starting may have created it, still without a
 * layout.
 */
async function isNew(connection: Connection): Promise<boolean> {
  const collections = await connection.listCollections();
  return collections.every(({ name }) => name === provenanceCollection);
}
