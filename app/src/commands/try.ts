import { randomUUID } from 'node:crypto';
import type { AccountCommand } from '@shelfwise/gateway/accounts/account-commands';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { readConfig } from '@shelfwise/runtime/process/config';
import { accountConfig } from '../config.ts';
import { runAccountCommand } from './account.ts';
import { defineCommand } from './lib/define-command.ts';
import { startIfMain } from './lib/start-if-main.ts';
import { type TriedStep, tryMainJob } from './lib/try-main-job.ts';

/** Does the main job once, with an account of its own. */
export const tryCommand = defineCommand({
  usage: `Usage: npm run try -- [--url http://localhost:8080] [--app-id ID] [--no-mcp] [--json]

Does the main job against a running Shelfwise, as a client of its API: tracks an app and three keywords, waits for ranks, scores
and the audit, reads a history and a top chart, and calls the assistant server. The account that it creates for that is deleted
at the end. Reads the stores a few times if Shelfwise reads the real ones. The exit code is 1 if a step failed.

  --url      where the API is
  --app-id   the App Store id of the app (default: the first of the top chart)
  --no-mcp   without the assistant server, for a gateway that has none
  --json     print one JSON document at the end
  --help     print this help`,
  options: {
    url: { type: 'string', default: 'http://localhost:8080' },
    'app-id': { type: 'string' },
    'no-mcp': { type: 'boolean', default: false },
  },
  read({ url: address, 'app-id': appId = null, 'no-mcp': hasNoMcp }) {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new Error('--url must be an address with http or https.');
    if (appId !== null && !/^\d{1,15}$/.test(appId))
      throw new Error('--app-id must be digits, such as 281796108.');
    return { url: url.origin, appId, hasMcp: !hasNoMcp };
  },
  async run(asked, { env, worker, pid, stderr, watchSignals, print }) {
    const settings = readConfig(accountConfig, env);
    const logger = createLogger({ name: 'try', level: 'warn', destination: stderr });
    const account = (command: AccountCommand, printLine: (line: string) => void) =>
      runAccountCommand(command, { settings, logger, worker, pid, print: printLine });
    const email = `try-${randomUUID()}@example.com`;
    const signal = watchSignals();
    const created = await account({ action: 'create', email, plan: 'unlimited' }, print);
    if (!('key' in created)) throw new Error('the account has no key');
    const onStep = (step: TriedStep) => print(toPrintableLine(describe(step)));
    let steps: TriedStep[];
    try {
      steps = await tryMainJob({ ...asked, key: created.key, onStep, signal });
    } finally {
      await account({ action: 'delete', email, yes: true }, () => {});
    }
    const isOk = steps.every(({ problem }) => problem === null);
    return { result: { is_ok: isOk, steps }, exitCode: isOk ? 0 : 1 };
  },
  format: ({ is_ok: isOk }) => (isOk ? 'The main job works.' : 'The main job does not work.'),
});

function describe({ step, ms, problem }: TriedStep): string {
  return problem === null ? `ok    ${step} (${ms} ms)` : `FAIL  ${step} (${ms} ms): ${problem}`;
}

startIfMain(import.meta.filename, tryCommand);
