import type { Writable } from 'node:stream';
import { inspect, type ParseArgsConfig, type parseArgs } from 'node:util';
import { toPrintableJson, toPrintableLines } from '@shelfwise/runtime/log/printable';
import type { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { parseOptions } from '@shelfwise/runtime/process/parse-options';
import { printResult } from '@shelfwise/runtime/process/print-result';
import { explainCommandError } from './explain-command-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Options = NonNullable<ParseArgsConfig['options']>;

/** What a command needs of its process. A test gives its own. */
export type CommandHost = {
  args: string[];
  env: Environment;
  pid: number;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** the entry file of the embedded database's thread */
  worker: URL;
  /** Fires with the first SIGINT or SIGTERM. Without a call, a signal ends the process at once. */
  watchSignals(options?: Parameters<typeof firstSignal>[1]): AbortSignal;
};

/** While a command runs. `print` shows a line on stderr, such as where the command runs. */
export type CommandRun = CommandHost & { isJson: boolean; print(line: string): void };

/** A command for operators: its texts, and what it does. `Asked` is what its arguments say. */
export type Command<Asked, Result, O extends Options = Options> = {
  usage: string;
  /** Besides --help, and --json where the command has a result. */
  options: O;
  /** Whether it takes words that are no options. */
  hasWords?: boolean;
  /**
   * What the arguments say.
   * @throws Error with a sentence for the user
   */
  read(
    values: ReturnType<typeof parseArgs<{ options: O }>>['values'],
    words: string[],
    env: Environment,
  ): Asked;
  /** Returns what to print on stdout at the end, and the exit code; default: 0. */
  run(asked: Asked, host: CommandRun): Promise<{ result?: Result; exitCode?: number }>;
  /** The result as text. Absent: the command has no result, and no --json. */
  format?(result: Result, asked: Asked, env: Environment): string;
  /** What to print for an error, where its sentence is not enough. Default: `explainCommandError`. */
  explain?(error: unknown): unknown;
};

/** Infers the types of a command from its parts. */
export function defineCommand<Asked, Result, const O extends Options>(
  command: Command<Asked, Result, O>,
): Command<Asked, Result, O> {
  return command;
}

/** Thrown for input that cannot be used, such as a file with mistakes: the exit code is that of a wrong option. */
export class UsageError extends Error {}

type Arguments<Asked> =
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string }
  | { kind: 'command'; asked: Asked; isJson: boolean };

export function readArguments<Asked, Result, O extends Options>(
  { options, hasWords = false, read, format }: Command<Asked, Result, O>,
  args: string[],
  env: Environment = {},
): Arguments<Asked> {
  try {
    const possible: Options = { ...options, help: { type: 'boolean', short: 'h' } };
    if (format) possible.json = { type: 'boolean' };
    const { values, positionals } = parseOptions({ args, options: possible, allowPositionals: hasWords });
    const { help, json = false, ...own } = values as Record<string, unknown>;
    if (help) return { kind: 'help' };
    return { kind: 'command', asked: read(own as never, positionals, env), isJson: json === true };
  } catch (error) {
    // `parseOptions` and `read` throw only Errors with a sentence for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

/**
 * Runs a command up to its exit code: that of its outcome; 1 for an error; 2 when it was called wrongly, with its usage on
 * stderr. After an error nothing is on stdout.
 */
export async function runCommand<Asked, Result, O extends Options>(
  command: Command<Asked, Result, O>,
  host: CommandHost,
): Promise<number> {
  const print = (line: unknown) => host.stderr.write(`${typeof line === 'string' ? line : inspect(line)}\n`);
  const { usage, format, explain = explainCommandError } = command;
  const parsed = readArguments(command, host.args, host.env);
  try {
    if (parsed.kind === 'help') {
      await printResult(usage, host.stdout);
      return 0;
    }
    if (parsed.kind === 'usage-error') {
      print(`${parsed.message}\n\n${usage}`);
      return 2;
    }
    const { asked, isJson } = parsed;
    const { result, exitCode = 0 } = await command.run(asked, { ...host, isJson, print });
    if (result !== undefined && format) {
      const text = isJson ? toPrintableJson(result) : toPrintableLines(format(result, asked, host.env));
      await printResult(text, host.stdout);
    }
    return exitCode;
  } catch (error) {
    if (error instanceof UsageError) {
      print(toPrintableLines(error.message));
      return 2;
    }
    print(explain(error));
    return 1;
  }
}
