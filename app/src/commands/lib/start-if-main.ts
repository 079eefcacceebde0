import { realpathSync } from 'node:fs';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { type Command, runCommand } from './define-command.ts';

/** Runs the command of a file in this process, which ends with it, if Node was started with this file. It may also be imported. */
export function startIfMain<Asked, Result>(file: string, command: Command<Asked, Result>): void {
  const [, main] = process.argv;
  if (main === undefined || realpathSync(main) !== file) return;
  const exitCode = runCommand(command, {
    args: process.argv.slice(2),
    env: process.env,
    pid: process.pid,
    stdout: process.stdout,
    stderr: process.stderr,
    // Only ESM can resolve it.
    worker: new URL(import.meta.resolve('@shelfwise/embedded/worker')),
    watchSignals: (options) => firstSignal(process, options),
  });
  void exitCode.then((code) => process.exit(code));
}
