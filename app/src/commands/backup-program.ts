import { readConfig } from '@shelfwise/runtime/config';
import { backupConfig } from '../config.ts';
import { backupUsage, type ParsedBackupCommand, parseBackupCommand } from './parse-backup-command.ts';
import { runBackupCommand } from './run-backup-command.ts';
import type { Program } from './run-program.ts';

/** Copies the embedded database, also while Shelfwise runs. */
export const backupProgram: Program<Extract<ParsedBackupCommand, { kind: 'command' }>> = {
  usage: backupUsage,
  parse: parseBackupCommand,
  async run({ to, isJson }, { env }) {
    const settings = readConfig(backupConfig, env);
    const report = await runBackupCommand(to, { settings, monotonicMs: () => performance.now() });
    const { folder, bytes, pages, ms } = report;
    const megabytes = (bytes / 1e6).toFixed(1);
    const sentence = `Backed up ${megabytes} MB to ${folder} in ${(ms / 1000).toFixed(1)} s, and checked all ${pages} pages of the copy.`;
    return { result: isJson ? JSON.stringify(report) : sentence };
  },
};
