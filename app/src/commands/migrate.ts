import { createLogger, type Logger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { migrateDatabase } from '@shelfwise/runtime/mongo/schema/migrate-database';
import { describeIndex } from '@shelfwise/runtime/mongo/schema/missing-indexes';
import {
  isCurrent,
  readSchemaStatus,
  refuseOtherSchema,
} from '@shelfwise/runtime/mongo/schema/schema-status';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { readConfig } from '@shelfwise/runtime/process/config';
import { type MigrateSettings, migrateConfig } from '../config.ts';
import { schemas } from '../schemas.ts';
import { defineCommand } from './lib/define-command.ts';
import { startIfMain } from './lib/start-if-main.ts';

/** Brings the databases of all services to the schema of this version. The exit code is 3 when one is not there yet. */
export const migrate = defineCommand({
  usage: `Usage: npm run migrate -- [--status] [--json]

Brings the databases of the gateway and of every service on MONGODB_URI (with MONGODB_PREFIX) to the schema of this
version: applies the pending migrations and creates the missing indexes. Run it before you start the services of a new
version, and once for a new server. Running services may go on. It can be repeated: it continues where it stopped.
"npm start" does this itself for its own databases.

  --status   change nothing, show what is pending; exits with 3 when something is
  --json     print one JSON document
  --help     print this help`,
  options: { status: { type: 'boolean' } },
  read: ({ status = false }) => ({ isStatus: status }),
  async run(asked, { env, stderr, watchSignals, print }) {
    const databases = await migrateDatabases(asked, {
      settings: readConfig(migrateConfig, env),
      logger: createLogger({ name: 'migrate', level: 'warn', destination: stderr }),
      signal: watchSignals(),
      print,
    });
    return { result: { databases }, exitCode: databases.every((database) => database.is_current) ? 0 : 3 };
  },
  format: ({ databases }, { isStatus }) => formatMigrations(databases, isStatus),
});

/** One database, before and after the command. Migrations are named by their ids, indexes are described. */
type MigratedDatabase = {
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
export async function migrateDatabases(
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

/** One line for each database. */
function formatMigrations(databases: readonly MigratedDatabase[], isStatus: boolean): string {
  return databases.map((database) => `${database.database}: ${describe(database, isStatus)}`).join('\n');
}

function describe({ was_new: wasNew, migrations, indexes }: MigratedDatabase, isStatus: boolean): string {
  if (isStatus && wasNew) return 'empty: run "npm run migrate"';
  if (migrations.length + indexes.length === 0) return wasNew ? 'prepared' : 'up to date';
  const counts = [
    `${migrations.length} ${nounFor(migrations.length, 'migration')}`,
    `${indexes.length} ${indexes.length === 1 ? 'index' : 'indexes'}`,
  ].join(' and ');
  const names = [...migrations, ...indexes].map((name) => `\n  ${name}`).join('');
  return isStatus ? `${counts} pending${names}` : `${counts} applied`;
}

startIfMain(import.meta.filename, migrate);
