import type { Logger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/database-schema';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';
import { migrateDatabase } from '@shelfwise/runtime/mongo/migrate-database';
import { describeIndex } from '@shelfwise/runtime/mongo/missing-indexes';
import { isCurrent, readSchemaStatus, refuseOtherSchema } from '@shelfwise/runtime/mongo/schema-status';
import type { MigrateSettings } from '../config.ts';
import { schemas } from '../schemas.ts';

/** One database, before and after the command. Migrations are named by their ids, indexes are described. */
export type MigratedDatabase = {
  database: string;
  /** Whether it was empty before. */
  was_new: boolean;
  /** Whether this version can use it now. */
  is_current: boolean;
  /** Applied by earlier runs. */
  applied: { id: string; at: string }[];
  /** Applied or created by this run, or pending with `--status`. */
  migrations: string[];
  indexes: string[];
};

type MigrateDeps = {
  settings: MigrateSettings;
  logger: Logger;
  /** Ends the command after the current step; it can be repeated. */
  signal: AbortSignal;
  /** prints the progress, for the operator */
  print(line: string): void;
  /** the databases; default: all of the product */
  schemas?: readonly DatabaseSchema[];
};

/**
 * Migrates the databases of every service on the server of MONGODB_URI, or only reads what is pending. All databases are
 * checked before the first is changed.
 * @throws StartError
 */
export async function runMigrateCommand(
  { isStatus }: { isStatus: boolean },
  deps: MigrateDeps,
): Promise<MigratedDatabase[]> {
  const wanted = deps.schemas ?? schemas;
  const migrated: MigratedDatabase[] = [];
  for (const schema of wanted)
    await withDatabase(schema, deps, (connection) => refuseOtherSchema(connection, schema));
  for (const schema of wanted) {
    deps.signal.throwIfAborted();
    migrated.push(await migrateOne(schema, isStatus, deps));
  }
  return migrated;
}

function migrateOne(schema: DatabaseSchema, isStatus: boolean, deps: MigrateDeps): Promise<MigratedDatabase> {
  return withDatabase(schema, deps, async (connection) => {
    const { name: database } = connection;
    const status = await readSchemaStatus(connection, schema);
    const onProgress = (step: string) => deps.print(`${database}: ${step}`);
    const { pending, missingIndexes } =
      isStatus || isCurrent(status)
        ? status
        : await migrateDatabase(connection, schema, { signal: deps.signal, onProgress });
    return {
      database,
      was_new: status.isNew,
      is_current: !isStatus || isCurrent(status),
      applied: status.applied.map(({ _id: id, applied_at: at }) => ({ id, at: at.toISOString() })),
      migrations: pending.map(({ id }) => id),
      indexes: missingIndexes.map(describeIndex),
    };
  });
}

async function withDatabase<Result>(
  schema: DatabaseSchema,
  { settings, logger }: MigrateDeps,
  use: (connection: Awaited<ReturnType<typeof connectMongo>>) => Promise<Result>,
): Promise<Result> {
  const database = databaseName(settings.MONGODB_PREFIX, schema.database);
  const connection = await connectMongo({ uri: settings.MONGODB_URI, database, logger });
  try {
    schema.createModels(connection);
    return await use(connection);
  } finally {
    await connection.close();
  }
}
