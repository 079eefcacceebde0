import { randomUUID } from 'node:crypto';
import type { AccountCommand } from '@shelfwise/gateway/accounts/account-commands';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson, toPrintableLine } from '@shelfwise/runtime/printable';
import { accountConfig } from '../config.ts';
import { type ParsedTryCommand, parseTryCommand, tryUsage } from './parse-try-command.ts';
import { runAccountCommand } from './run-account-command.ts';
import type { Program } from './run-program.ts';
import { type TriedStep, tryMainJob } from './try-main-job.ts';

/** Does the main job once, with an account of its own. */
export const tryProgram: Program<Extract<ParsedTryCommand, { kind: 'command' }>> = {
  usage: tryUsage,
  parse: parseTryCommand,
  async run({ url, appId, hasMcp, isJson }, { env, worker, pid, stderr, watchSignals }, print) {
    const settings = readConfig(accountConfig, env);
    const logger = createLogger({ name: 'try', level: 'warn', destination: stderr });
    const account = (command: AccountCommand, printLine: (line: string) => void) =>
      runAccountCommand(command, { settings, logger, worker, pid, print: printLine });
    const email = `try-${randomUUID()}@example.com`;
    const signal = watchSignals();
    const created = await account({ action: 'create', email, plan: 'unlimited' }, print);
    if (!('key' in created)) throw new Error('the account has no key');
    const onStep = (step: TriedStep) => print(toPrintableLine(format(step)));
    let steps: TriedStep[];
    try {
      steps = await tryMainJob({ url, key: created.key, appId, hasMcp, onStep, signal });
    } finally {
      await account({ action: 'delete', email, yes: true }, () => {});
    }
    const isOk = steps.every(({ problem }) => problem === null);
    const sentence = isOk ? 'The main job works.' : 'The main job does not work.';
    return {
      result: isJson ? toPrintableJson({ is_ok: isOk, steps }) : sentence,
      exitCode: isOk ? 0 : 1,
    };
  },
};

function format({ step, ms, problem }: TriedStep): string {
  return problem === null ? `ok    ${step} (${ms} ms)` : `FAIL  ${step} (${ms} ms): ${problem}`;
}
