import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a file of this repository in a process of its own, which sends and gets messages. */
export function forkProgram(file: URL, ...programArguments: readonly string[]): ChildProcess {
  return fork(fileURLToPath(file), programArguments, {
    execArgv: ['--import', 'tsx', '--conditions=source'],
  });
}
