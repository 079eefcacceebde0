import type { Connection } from 'mongoose';
import { StartError } from '../../process/start-error.ts';
import { leaseCollection } from '../lease.ts';
import type { DatabaseSchema, Migration } from './database-schema.ts';
import { type DeclaredIndex, findMissingIndexes } from './missing-indexes.ts';
import { createProvenanceStore, provenanceCollection } from './provenance-store.ts';

/** Documents with the ids of the migrations that were applied. */
export const migrationCollection = 'migrations';

/**
 * The fact that marks a database of Shelfwise. Its value is the schema before the first migration: until the first
 * release, a change of what is stored raises it instead of adding a migration.
 */
export const firstSchema = { fact: 'layout', value: '4' } as const;

export type AppliedMigration = { _id: string; applied_at: Date };

/** How the database differs from what this version needs. */
export type SchemaStatus = {
  /** Whether it holds nothing yet. */
  isNew: boolean;
  /** In the order in which they were applied. */
  applied: readonly AppliedMigration[];
  pending: readonly Migration[];
  missingIndexes: readonly DeclaredIndex[];
};

/** Whether this version can use the database as it is. */
export function isCurrent({ isNew, pending, missingIndexes }: SchemaStatus): boolean {
  return !isNew && pending.length === 0 && missingIndexes.length === 0;
}

/**
 * Compares the database with the models of the connection and with the migrations. Writes nothing.
 * @throws StartError when a newer version migrated it, or a version before the first migration made it
 */
export async function readSchemaStatus(
  connection: Connection,
  { migrations }: Pick<DatabaseSchema, 'migrations'>,
): Promise<SchemaStatus> {
  const [isNew, applied, missingIndexes] = await Promise.all([
    readIsNew(connection),
    readApplied(connection),
    findMissingIndexes(connection),
  ]);
  const known = new Set(migrations.map(({ id }) => id));
  const unknown = applied.find(({ _id }) => !known.has(_id));
  if (unknown) throw newerSchema(connection, unknown);
  const appliedIds = new Set(applied.map(({ _id }) => _id));
  return { isNew, applied, pending: migrations.filter(({ id }) => !appliedIds.has(id)), missingIndexes };
}

/**
 * Refuses a database that this version cannot use or migrate, and writes nothing. A process with several databases
 * checks all of them before it changes the first, so that the version that made them can still use them.
 * @throws StartError
 */
export async function refuseOtherSchema(
  connection: Connection,
  schema: Pick<DatabaseSchema, 'migrations'>,
): Promise<void> {
  await readSchemaStatus(connection, schema);
}

async function readIsNew(connection: Connection): Promise<boolean> {
  const { find } = createProvenanceStore(connection);
  const stored = await find(firstSchema.fact);
  if (stored === firstSchema.value) return false;
  if (stored === null && (await holdsNothing(connection))) return true;
  // Another process may have marked the database since the first look, and then have created collections.
  if (stored === null && (await find(firstSchema.fact)) === firstSchema.value) return false;
  throw olderSchema(connection);
}

/** The collections of a preparation do not count: another copy that is starting may have created them. */
async function holdsNothing(connection: Connection): Promise<boolean> {
  const own: readonly string[] = [provenanceCollection, migrationCollection, leaseCollection];
  const collections = await connection.listCollections();
  return collections.every(({ name }) => own.includes(name));
}

async function readApplied(connection: Connection): Promise<AppliedMigration[]> {
  return connection
    .collection<AppliedMigration>(migrationCollection)
    .find({}, { sort: { applied_at: 1, _id: 1 } })
    .toArray();
}

function newerSchema({ name }: Connection, { _id }: AppliedMigration): StartError {
  return new StartError(
    `The database ${name} was migrated by a newer version of Shelfwise (${_id}). Start that version, or restore a backup from before.`,
  );
}

function olderSchema({ name }: Connection): StartError {
  return new StartError(
    `The database ${name} was made by a version of Shelfwise that this one cannot migrate: delete the data folder ` +
      '(SHELFWISE_DATA_DIR) or, if the database is on the server of MONGODB_URI, use a server without it or another MONGODB_PREFIX, and start again.',
  );
}
