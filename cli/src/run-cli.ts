import type { ParseArgsConfig } from 'node:util';
import { escapeControls, toPrintableLines } from '@shelfwise/runtime/log/printable';
import { redactKeys } from '@shelfwise/runtime/log/redact-keys';
import { parseOptions } from '@shelfwise/runtime/process/parse-options';
import { printResult } from '@shelfwise/runtime/process/print-result';
import { version } from '@shelfwise/runtime/version';
import { ApiError, describeApiError } from './api/api-error.ts';
import { type Api, createApi } from './api/create-api.ts';
import { CliError } from './cli-error.ts';
import type { CliHost } from './cli-host.ts';
import type { Command, CommandRun, Format, Options } from './commands/define-command.ts';
import { commands } from './commands/index.ts';
import { type ExitCode, exitCodes, toExitCode } from './exit-codes.ts';
import { allOptions } from './start/common-options.ts';
import { createProgress, type Progress } from './start/create-progress.ts';
import { formatCommandHelp, formatHelp } from './start/help.ts';
import { readKey } from './start/read-key.ts';
import { readBaseUrl, readTimeout } from './start/read-settings.ts';

/** Runs one command line up to its exit code. */
export async function runCli(host: CliHost): Promise<ExitCode> {
  const progress = createProgress(host);
  const note = (line: string) => {
    progress.end();
    host.stderr.write(`${toPrintableLines(redactKeys(line))}\n`);
  };
  const signal = host.watchSignals();
  try {
    return await runCommandLine(host, { note, progress, signal });
  } catch (error) {
    if (signal.aborted) {
      note('Interrupted.');
      return exitCodes.interrupted;
    }
    if (error instanceof ApiError) {
      note(describeApiError(error));
      return toExitCode(error.code);
    }
    if (!(error instanceof CliError)) throw error;
    note(error.message);
    return error.exitCode;
  } finally {
    progress.end();
  }
}

type Deps = { note(line: string): void; progress: Progress; signal: AbortSignal };

async function runCommandLine(host: CliHost, deps: Deps): Promise<ExitCode> {
  const [name, ...args] = host.args;
  if (name === '--version') return print(version, host);
  if (name === '--help' || name === '-h' || name === 'help') return print(formatHelp(commands), host);
  const command = commands.find((one) => one.name === name);
  if (!command) {
    deps.note(
      name === undefined ? formatHelp(commands) : `There is no command ${name}. See: shelfwise --help`,
    );
    return exitCodes.usage;
  }
  const { values, words } = readArguments(command, args);
  if (values.help === true) return print(formatCommandHelp(command), host);
  checkWords(command, words);
  const run = createRun(command, values, { host, ...deps });
  return command.run(run, values as never, words);
}

type Given = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** @throws CliError */
function readArguments(command: Command, args: readonly string[]): { values: Given; words: string[] } {
  try {
    const options = toParsed(allOptions(command));
    const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true });
    return { values: values as Given, words: positionals };
  } catch (error) {
    throw new CliError(exitCodes.usage, `${(error as Error).message} ${seeHelp(command)}`);
  }
}

function toParsed(options: Options): NonNullable<ParseArgsConfig['options']> {
  const parsed: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { value, short, isMultiple = false }] of Object.entries(options)) {
    const option: (typeof parsed)[string] = {
      type: value === undefined ? 'boolean' : 'string',
      multiple: isMultiple,
    };
    if (short !== undefined) option.short = short;
    parsed[name] = option;
  }
  return parsed;
}

/** @throws CliError */
function checkWords(command: Command, words: readonly string[]): void {
  const required = command.words.filter((word) => !word.startsWith('['));
  const missing = required[words.length];
  if (missing !== undefined)
    throw new CliError(exitCodes.usage, `${missing} is missing. ${seeHelp(command)}`);
  const extra = words[command.words.length];
  if (extra !== undefined)
    throw new CliError(exitCodes.usage, `There is one word too many: ${extra}. ${seeHelp(command)}`);
}

function seeHelp({ name }: Command): string {
  return `See: shelfwise ${name} --help`;
}

/** @throws CliError for wrong settings */
function createRun(
  { endpoint }: Command,
  values: Given,
  { host, note, progress, signal }: Deps & { host: CliHost },
): CommandRun {
  const { stdout, stdin, clock } = host;
  const write = (text: string) => {
    progress.end();
    return printResult(text, stdout);
  };
  const isTerminal = stdout.isTTY === true;
  return {
    api: endpoint === null ? noApi : openApi(values, { host, progress, signal }),
    format: readFormat(values),
    signal,
    stdin,
    width: isTerminal ? (stdout.columns ?? null) : null,
    progress: progress.show,
    print: (text) => write(toPrintableLines(text)),
    printJson: (text) => write(escapeControls(text.trim())),
    printCsv(text) {
      const csv = text.replace(/\n$/, '');
      return write(isTerminal ? toPrintableLines(csv.replaceAll('\r\n', '\n')) : csv);
    },
    pause: (ms) => clock.pause(ms, signal),
    note,
  };
}

/** Of a command without an endpoint. */
const noApi: Api = {
  call: () => Promise.reject(new Error('this command calls no endpoint')),
  callCsv: () => Promise.reject(new Error('this command calls no endpoint')),
};

function openApi(
  values: Given,
  { host, progress, signal }: Pick<Deps, 'progress' | 'signal'> & { host: CliHost },
): Api {
  const { env, clock } = host;
  const option = (name: string) => values[name] as string | undefined;
  return createApi({
    baseUrl: readBaseUrl(env, option('url')),
    timeoutMs: readTimeout(option('timeout')),
    key: readKey(host, option('key-file')),
    userAgent: `shelfwise-cli/${version}`,
    fetch: host.fetch,
    clock,
    signal,
    onWait: progress.mention,
    onSlow: progress.tick,
  });
}

/** @throws CliError */
function readFormat({ json, csv }: Given): Format {
  if (json && csv) throw new CliError(exitCodes.usage, 'Give --json or --csv, not both.');
  if (json) return 'json';
  return csv ? 'csv' : 'table';
}

async function print(text: string, { stdout }: CliHost): Promise<ExitCode> {
  await printResult(text, stdout);
  return exitCodes.ok;
}
