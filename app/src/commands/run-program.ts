import type { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { toPrintableLines } from '@shelfwise/runtime/printable';
import { explainCommandError } from './explain-command-error.ts';
import { printResult } from './print-result.ts';

/** What a command needs of its process. A test gives its own. */
export type ProgramHost = {
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
  pid: number;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** the entry file of the embedded database's thread */
  worker: URL;
  /** Fires with the first SIGINT or SIGTERM. Without a call, a signal ends the process at once. */
  watchSignals(): AbortSignal;
};

/** What a command prints on stdout when it is over, and its exit code; default: 0. */
export type Outcome = { result?: string; exitCode?: number };

type NoCommand = { kind: 'help' } | { kind: 'usage-error'; message: string };

/** A command for operators: its texts, and what it does. */
export type Program<Command extends { kind: 'command' }> = {
  usage: string;
  parse(args: string[], host: ProgramHost): Command | NoCommand;
  /** @param print shows a line on stderr, such as where the command runs */
  run(command: Command, host: ProgramHost, print: (line: string) => void): Promise<Outcome>;
  /** What to print for an error, where its sentence is not enough. Default: `explainCommandError`. */
  explain?(error: unknown): unknown;
};

/** Thrown for input that cannot be used, such as a file with mistakes: the exit code is that of a wrong option. */
export class UsageError extends Error {}

/**
 * Runs a command up to its exit code: that of its outcome; 1 for an error; 2 when it was called wrongly, with its usage on
 * stderr. After an error nothing is on stdout.
 */
export async function runProgram<Command extends { kind: 'command' }>(
  program: Program<Command>,
  host: ProgramHost,
): Promise<number> {
  const print = (line: unknown) => host.stderr.write(`${format(line)}\n`);
  try {
    const parsed = program.parse(host.args, host);
    if (parsed.kind === 'help') {
      await printResult(program.usage, host.stdout);
      return 0;
    }
    if (parsed.kind === 'usage-error') {
      print(`${parsed.message}\n\n${program.usage}`);
      return 2;
    }
    const { result, exitCode = 0 } = await program.run(parsed as Command, host, print);
    if (result !== undefined) await printResult(result, host.stdout);
    return exitCode;
  } catch (error) {
    if (error instanceof UsageError) {
      print(toPrintableLines(error.message));
      return 2;
    }
    print((program.explain ?? explainCommandError)(error));
    return 1;
  }
}

/** An unexpected error is shown whole. */
function format(line: unknown): string {
  return typeof line === 'string' ? line : inspect(line);
}
