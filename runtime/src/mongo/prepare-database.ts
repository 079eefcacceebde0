import type { Connection } from 'mongoose';
import { StartError } from '../process/start-error.ts';
import { createProvenanceStore, provenanceCollection } from './provenance-store.ts';

/** The version of the stored fields. Raise it when the name or the meaning of a stored field changes. */
const layout = '2';

/**
 * Creates the collections and indexes of every model of the connection. A database with another layout is refused:
 * until the first release, stored data is not migrated.
 * @throws StartError
 */
export async function prepareDatabase(connection: Connection): Promise<void> {
  await refuseOtherLayout(connection);
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

async function refuseOtherLayout(connection: Connection): Promise<void> {
  const provenance = createProvenanceStore(connection);
  const stored = (await isNew(connection))
    ? await provenance.setIfAbsent('layout', layout)
    : await provenance.find('layout');
  if (stored !== layout)
    throw new StartError(
      `The database ${connection.name} was made by another version of Shelfwise: delete the data folder ` +
        '(SHELFWISE_DATA_DIR), or set MONGODB_URI to a server without it, and start again.',
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
