import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { migrateConfig } from '../config.ts';
import { formatMigrations } from './format-migrations.ts';
import { migrateUsage, type ParsedMigrateCommand, parseMigrateCommand } from './parse-migrate-command.ts';
import { runMigrateCommand } from './run-migrate-command.ts';
import type { Program } from './run-program.ts';

/** Brings the databases of all services to the schema of this version. The exit code is 3 when one is not there yet. */
export const migrateProgram: Program<Extract<ParsedMigrateCommand, { kind: 'command' }>> = {
  usage: migrateUsage,
  parse: parseMigrateCommand,
  async run({ isStatus, isJson }, { env, stderr, watchSignals }, print) {
    const databases = await runMigrateCommand(
      { isStatus },
      {
        settings: readConfig(migrateConfig, env),
        logger: createLogger({ name: 'migrate', level: 'warn', destination: stderr }),
        signal: watchSignals(),
        print,
      },
    );
    return {
      result: isJson
        ? toPrintableJson({ databases })
        : toPrintableLines(formatMigrations(databases, isStatus)),
      exitCode: databases.every((database) => database.is_current) ? 0 : 3,
    };
  },
};
