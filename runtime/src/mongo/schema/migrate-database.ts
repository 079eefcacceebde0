import type { Connection } from 'mongoose';
import { checkMigrationIds, type DatabaseSchema } from './database-schema.ts';
import { withMigrationLease } from './migration-lease.ts';
import { createIndexes, describeIndex, findMissingIndexes } from './missing-indexes.ts';
import { createProvenanceStore } from './provenance-store.ts';
import {
  type AppliedMigration,
  firstSchema,
  migrationCollection,
  readSchemaStatus,
  type SchemaStatus,
} from './schema-status.ts';

/** What a migration did, for people: sentences without a full stop. */
export type MigrationProgress = (step: string) => void;

export type MigrateOptions = {
  signal?: AbortSignal;
  now?: () => Date;
  monotonicMs?: () => number;
  onProgress?: MigrationProgress;
};

/**
 * Brings a database to the schema of this version: applies the missing migrations in their order, then creates
 * the missing indexes. Several processes may do so at the same time; one of them migrates. After a crash the next call
 * continues. Nothing is ever migrated back.
 * @returns what it changed
 * @throws StartError, or the error of a migration, which stays pending
 */
export async function migrateDatabase(
  connection: Connection,
  schema: Pick<DatabaseSchema, 'migrations'>,
  options: MigrateOptions = {},
): Promise<Pick<SchemaStatus, 'pending' | 'missingIndexes'>> {
  const { onProgress = () => {} } = options;
  checkMigrationIds(schema.migrations);
  const { isNew, pending } = await readSchemaStatus(connection, schema);
  if (isNew) await createProvenanceStore(connection).setIfAbsent(firstSchema.fact, firstSchema.value);
  if (pending.length > 0) await applyPending(connection, schema, { ...options, onProgress });
  // Only now: a migration may change documents that a unique index would refuse, or drop an index.
  const missingIndexes = await findMissingIndexes(connection);
  await createIndexes(connection, missingIndexes, (_, indexes) =>
    onProgress(`creating indexes: ${indexes.map(describeIndex).join(', ')}`),
  );
  return { pending, missingIndexes };
}

async function applyPending(
  connection: Connection,
  schema: Pick<DatabaseSchema, 'migrations'>,
  {
    signal = new AbortController().signal,
    now = () => new Date(),
    monotonicMs = () => performance.now(),
    onProgress,
  }: MigrateOptions & { onProgress: MigrationProgress },
): Promise<void> {
  const onWaiting = () => onProgress('waiting for another process that migrates this database');
  await withMigrationLease(connection, { signal, monotonicMs, onWaiting }, async (stopping) => {
    // Read again: another process may have applied them meanwhile.
    const { pending } = await readSchemaStatus(connection, schema);
    for (const migration of pending) {
      stopping.throwIfAborted();
      onProgress(`applying ${migration.id}`);
      await migration.run(connection, stopping);
      stopping.throwIfAborted();
      const applied: AppliedMigration = { _id: migration.id, applied_at: now() };
      await connection.collection<AppliedMigration>(migrationCollection).insertOne(applied);
    }
  });
}
