import {
  accountUsage,
  formatAccountResult,
  type ParsedAccountCommand,
  parseAccountCommand,
} from '@shelfwise/gateway/accounts/account-commands';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/printable';
import { accountConfig } from '../config.ts';
import { runAccountCommand } from './run-account-command.ts';
import type { Program } from './run-program.ts';

/** Creates, lists, changes and deletes accounts. */
export const accountProgram: Program<Extract<ParsedAccountCommand, { kind: 'command' }>> = {
  usage: accountUsage,
  parse: parseAccountCommand,
  async run({ command, isJson }, { env, worker, pid, stderr }, print) {
    const settings = readConfig(accountConfig, env);
    const logger = createLogger({ name: 'account', level: 'warn', destination: stderr });
    const result = await runAccountCommand(command, { settings, logger, worker, pid, print });
    return {
      result: isJson ? toPrintableJson(result) : toPrintableLines(formatAccountResult(command, result)),
    };
  },
};
