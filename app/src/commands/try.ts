import { randomUUID } from 'node:crypto';
import type { AccountCommand } from '@shelfwise/gateway/accounts/account-commands';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { toPrintableJson, toPrintableLine } from '@shelfwise/runtime/printable';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { accountConfig } from '../config.ts';
import { explainCommandError } from './explain-command-error.ts';
import { parseTryCommand, tryUsage } from './parse-try-command.ts';
import { printResult } from './print-result.ts';
import { runAccountCommand } from './run-account-command.ts';
import { type TriedStep, tryMainJob } from './try-main-job.ts';

// npm run try -- [--url http://localhost:8080] [--app-id 281796108] [--json]
try {
  const parsed = parseTryCommand(process.argv.slice(2));
  if (parsed.kind === 'help') {
    console.log(tryUsage);
    process.exit(0);
  }
  if (parsed.kind === 'usage-error') {
    console.error(`${parsed.message}\n\n${tryUsage}`);
    process.exit(2);
  }
  const { url, appId, hasMcp, isJson } = parsed;
  const settings = readConfig(accountConfig, process.env);
  const logger = createLogger({ name: 'try', level: 'warn', destination: process.stderr });
  const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
  const account = (command: AccountCommand, print: (line: string) => void) =>
    runAccountCommand(command, { settings, logger, worker, pid: process.pid, print });
  const email = `try-${randomUUID()}@example.com`;
  const signal = firstSignal(process);
  const created = await account({ action: 'create', email, plan: 'unlimited' }, (line) =>
    console.error(line),
  );
  if (!('key' in created)) throw new Error('the account has no key');
  const onStep = (step: TriedStep) => console.error(toPrintableLine(format(step)));
  let steps: TriedStep[];
  try {
    steps = await tryMainJob({ url, key: created.key, appId, hasMcp, onStep, signal });
  } finally {
    await account({ action: 'delete', email, yes: true }, () => {});
  }
  const isOk = steps.every(({ problem }) => problem === null);
  const sentence = isOk ? 'The main job works.' : 'The main job does not work.';
  await printResult(isJson ? toPrintableJson({ is_ok: isOk, steps }) : sentence);
  process.exit(isOk ? 0 : 1);
} catch (error) {
  console.error(explainCommandError(error));
  process.exit(1);
}

function format({ step, ms, problem }: TriedStep): string {
  return problem === null ? `ok    ${step} (${ms} ms)` : `FAIL  ${step} (${ms} ms): ${problem}`;
}
