import { parseOptions } from '@shelfwise/runtime/process/parse-options';

export const migrateUsage = `Usage: npm run migrate -- [--status] [--json]

Brings the databases of the gateway and of every service on MONGODB_URI (with MONGODB_PREFIX) to the schema of this
version: applies the pending migrations and creates the missing indexes. Run it before you start the services of a new
version, and once for a new server. Running services may go on. It can be repeated: it continues where it stopped.
"npm start" does this itself for its own databases.

  --status   change nothing, show what is pending; exits with 3 when something is
  --json     print one JSON document
  --help     print this help`;

export type ParsedMigrateCommand =
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string }
  | { kind: 'command'; isStatus: boolean; isJson: boolean };

export function parseMigrateCommand(args: string[]): ParsedMigrateCommand {
  try {
    const { values } = parseOptions({
      args,
      options: { status: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (values.help) return { kind: 'help' };
    return { kind: 'command', isStatus: values.status ?? false, isJson: values.json ?? false };
  } catch (error) {
    return { kind: 'usage-error', message: (error as Error).message };
  }
}
