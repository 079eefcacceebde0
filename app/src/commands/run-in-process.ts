import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { type Program, runProgram } from './run-program.ts';

/** Runs a command in this process, which ends with it. */
export async function runInProcess<Command extends { kind: 'command' }>(
  program: Program<Command>,
): Promise<never> {
  const exitCode = await runProgram(program, {
    args: process.argv.slice(2),
    env: process.env,
    pid: process.pid,
    stdout: process.stdout,
    stderr: process.stderr,
    // Only ESM can resolve it.
    worker: new URL(import.meta.resolve('@shelfwise/embedded/worker')),
    watchSignals: () => firstSignal(process),
  });
  process.exit(exitCode);
}
