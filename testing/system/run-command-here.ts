import { Writable } from 'node:stream';
import { type Program, runProgram } from '@shelfwise/app/commands/run-program';
import { embeddedWorker } from './embedded-worker.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a command for operators in this process, with these settings alone. A process of its own costs a second or two. */
export async function runCommandHere<Command extends { kind: 'command' }>(
  program: Program<Command>,
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  const code = await runProgram(program, {
    args,
    env,
    pid: process.pid,
    stdout: createSink((text) => (printed.stdout += text)),
    stderr: createSink((text) => (printed.stderr += text)),
    worker: embeddedWorker(),
    watchSignals: () => new AbortController().signal,
  });
  return { code, ...printed };
}

/** Passes on what is written to it. */
export function createSink(onText: (text: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      onText(String(chunk));
      done();
    },
  });
}
