import {
  accountUsage,
  formatAccountResult,
  parseAccountCommand,
} from '@shelfwise/gateway/accounts/account-commands';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { accountConfig } from '../config.ts';
import { explainCommandError } from './explain-command-error.ts';
import { printResult } from './print-result.ts';
import { runAccountCommand } from './run-account-command.ts';

// npm run account -- create --email a@b.c --plan unlimited [--json]
try {
  const parsed = parseAccountCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(accountUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${accountUsage}`);
    process.exit(2);
  }
  const { command, isJson } = parsed;
  const settings = readConfig(accountConfig, process.env);
  const logger = createLogger({ name: 'account', level: 'warn', destination: process.stderr });
  const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
  const print = (line: string) => console.error(line);
  const result = await runAccountCommand(command, { settings, logger, worker, pid: process.pid, print });
  await printResult(
    isJson ? toPrintableJson(result) : toPrintableLines(formatAccountResult(command, result)),
  );
  process.exit(0);
} catch (error) {
  console.error(explainCommandError(error));
  process.exit(1);
}
