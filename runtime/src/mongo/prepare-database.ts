import type { Connection } from 'mongoose';
import { StartError } from '../process/start-error.ts';
import { createProvenanceStore } from './provenance-store.ts';

/** The version of the stored fields: to be raised when a stored name or meaning changes. */
const layout = '2';

/**
 * Makes sure that every model of the connection has its collection and indexes. A database of another layout is refused:
 * until the first release nothing is migrated.
 * @throws StartError
 */
export async function prepareDatabase(connection: Connection): Promise<void> {
  await refuseOtherLayout(connection);
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

async function refuseOtherLayout(connection: Connection): Promise<void> {
  const provenance = createProvenanceStore(connection);
  const isEmpty = (await connection.listCollections()).length === 0;
  const held = isEmpty ? await provenance.setIfAbsent('layout', layout) : await provenance.find('layout');
  if (held !== layout)
    throw new StartError(
      `The database ${connection.name} was made by another version of Shelfwise: delete the data folder ` +
        '(SHELFWISE_DATA_DIR), or set MONGODB_URI to a server without it, and start again.',
    );
}
