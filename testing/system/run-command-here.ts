import { Writable } from 'node:stream';
import { type Command, runCommand } from '@shelfwise/app/commands/lib/define-command';
import { embeddedWorker } from './embedded-worker.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a command for operators in this process, with these settings alone. A process of its own costs a second or two. */
export async function runCommandHere<Asked, Result>(
  command: Command<Asked, Result>,
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommand(command, {
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
