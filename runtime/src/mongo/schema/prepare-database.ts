import type { Connection } from 'mongoose';
import { StartError } from '../../process/start-error.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { migrateDatabase } from './migrate-database.ts';
import { describeIndex } from './missing-indexes.ts';
import { isCurrent, readSchemaStatus } from './schema-status.ts';

/**
 * Who migrates the database of a service: the service at its start, or an operator before it. A service that runs apart
 * only checks, so that a long migration does not keep all copies from being ready.
 */
export type SchemaMode = 'migrate' | 'require';

/**
 * Makes sure that the database has the schema of this version, before a service uses it. Costs one read per collection
 * when it has.
 * @throws StartError when it has not and cannot get it
 */
export async function prepareDatabase(
  connection: Connection,
  schema: Pick<DatabaseSchema, 'migrations'> = { migrations: [] },
  mode: SchemaMode = 'migrate',
): Promise<void> {
  const status = await readSchemaStatus(connection, schema);
  if (isCurrent(status)) return;
  if (mode === 'migrate') {
    await migrateDatabase(connection, schema);
    return;
  }
  const lacks = status.isNew
    ? 'is empty'
    : `lacks ${[...status.pending.map(({ id }) => id), ...status.missingIndexes.map(describeIndex)].join(', ')}`;
  throw new StartError(
    `The database ${connection.name} ${lacks}. Run "npm run migrate" with the same MONGODB_URI and MONGODB_PREFIX, then start again.`,
  );
}
