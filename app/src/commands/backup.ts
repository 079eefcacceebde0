import { readConfig } from '@shelfwise/runtime/config';
import { backupConfig } from '../config.ts';
import { explainCommandError } from './explain-command-error.ts';
import { backupUsage, parseBackupCommand } from './parse-backup-command.ts';
import { printResult } from './print-result.ts';
import { runBackupCommand } from './run-backup-command.ts';

// npm run backup -- --to FOLDER [--json]
try {
  const parsed = parseBackupCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(backupUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${backupUsage}`);
    process.exit(2);
  }
  const settings = readConfig(backupConfig, process.env);
  const report = await runBackupCommand(parsed.to, { settings, monotonicMs: () => performance.now() });
  const { folder, bytes, pages, ms } = report;
  const megabytes = (bytes / 1e6).toFixed(1);
  const sentence = `Backed up ${megabytes} MB to ${folder} in ${(ms / 1000).toFixed(1)} s, and checked all ${pages} pages of the copy.`;
  await printResult(parsed.isJson ? JSON.stringify(report) : sentence);
  process.exit(0);
} catch (error) {
  console.error(explainCommandError(error));
  process.exit(1);
}
