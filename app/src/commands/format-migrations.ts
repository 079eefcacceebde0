import { nounFor } from '@shelfwise/runtime/noun-for';
import type { MigratedDatabase } from './run-migrate-command.ts';

/** One line for each database. */
export function formatMigrations(databases: readonly MigratedDatabase[], isStatus: boolean): string {
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
