import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { migrateConfig } from '../config.ts';
import { explainCommandError } from './explain-command-error.ts';
import { formatMigrations } from './format-migrations.ts';
import { migrateUsage, parseMigrateCommand } from './parse-migrate-command.ts';
import { printResult } from './print-result.ts';
import { runMigrateCommand } from './run-migrate-command.ts';

// npm run migrate -- [--status] [--json]
try {
  const parsed = parseMigrateCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(migrateUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${migrateUsage}`);
    process.exit(2);
  }
  const { isStatus, isJson } = parsed;
  const databases = await runMigrateCommand(
    { isStatus },
    {
      settings: readConfig(migrateConfig, process.env),
      logger: createLogger({ name: 'migrate', level: 'warn', destination: process.stderr }),
      signal: firstSignal(process),
      print: (line) => console.error(line),
    },
  );
  await printResult(
    isJson ? toPrintableJson({ databases }) : toPrintableLines(formatMigrations(databases, isStatus)),
  );
  process.exit(databases.every((database) => database.is_current) ? 0 : 3);
} catch (error) {
  console.error(explainCommandError(error));
  process.exit(1);
}
