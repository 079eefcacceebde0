import { parseOptions } from '@shelfwise/runtime/process/parse-options';

export const backupUsage = `Usage: npm run backup -- --to FOLDER [--json]

Copies the data folder (SHELFWISE_DATA_DIR) into a new folder, also while Shelfwise runs, and checks the copy.
To restore it: stop Shelfwise, put the copy in the place of the data folder, start Shelfwise.

  --to FOLDER   a folder that does not exist yet
  --json        print one JSON document
  --help        print this help`;

export type ParsedBackupCommand =
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string }
  | { kind: 'command'; to: string; isJson: boolean };

export function parseBackupCommand(args: string[]): ParsedBackupCommand {
  try {
    const { values } = parseOptions({
      args,
      options: { to: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (values.help) return { kind: 'help' };
    if (!values.to) return { kind: 'usage-error', message: '--to FOLDER is required.' };
    return { kind: 'command', to: values.to, isJson: values.json ?? false };
  } catch (error) {
    return { kind: 'usage-error', message: (error as Error).message };
  }
}
