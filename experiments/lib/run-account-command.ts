import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nodeArguments } from '../../testing/system/node-arguments.ts';

/** Runs `npm run account -- <words> --json` on a system with these settings, and returns what it printed. */
export async function runAccountCommand<Answer>(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Answer> {
  const args = [...nodeArguments('app/src/commands/account.ts'), ...words, '--json'];
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as Answer;
}
