import type { Api } from '../api/create-api.ts';
import type { Endpoint } from '../api/endpoints.ts';
import type { CliHost } from '../cli-host.ts';
import type { ExitCode } from '../exit-codes.ts';

export type Option = {
  /** What its value is, as the help shows it (`N`); absent: the option has no value. */
  value?: string;
  /** One letter, as in `-h`. */
  short?: string;
  /** The only values, for the help and the completion. The API checks them. */
  choices?: readonly string[];
  isMultiple?: true;
  /** The parameter of the endpoint that gets the value as it is. */
  parameter?: string;
  text: string;
};

export type Options = Readonly<Record<string, Option>>;

type ValueOf<One extends Option> = One extends { isMultiple: true }
  ? string[]
  : One extends { value: string }
    ? string
    : boolean;

/** What was given of the options. */
export type Values<Own extends Options> = { readonly [Name in keyof Own]?: ValueOf<Own[Name]> | undefined };

export type Format = 'table' | 'json' | 'csv';

/** While a command runs. */
export type CommandRun = {
  api: Api;
  format: Format;
  signal: AbortSignal;
  stdin: CliHost['stdin'];
  /** The columns of the terminal; null: the output is no terminal. */
  width: number | null;
  /** Says how far long work is, on stderr, until something else is written. */
  progress(text: string): void;
  /** Writes text for people to stdout, with control characters made harmless. */
  print(text: string): Promise<void>;
  /** Writes a JSON text to stdout; its content does not change. */
  printJson(text: string): Promise<void>;
  /** Writes CSV to stdout, to a pipe or file as it is. */
  printCsv(text: string): Promise<void>;
  /** @throws the reason of the signal */
  pause(ms: number): Promise<void>;
  /** Writes a line to stderr. */
  note(line: string): void;
};

export type Command<Own extends Options = Options> = {
  name: string;
  /** One line, without a full stop. */
  summary: string;
  /** The words after the name, as the usage shows them; one in brackets may be left out. */
  words: readonly string[];
  /** The values of the only word, for the completion. */
  wordChoices?: readonly string[];
  /** The endpoint that the parameters of the options belong to; null: it calls none. */
  endpoint: Endpoint | null;
  options: Own;
  /** More about the command, in whole sentences. */
  details?: string;
  /** What can be pasted after `shelfwise`. */
  example: string;
  run(run: CommandRun, values: Values<Own>, words: readonly string[]): Promise<ExitCode>;
};

/** Infers the types of a command's values from its options. */
export function defineCommand<const Own extends Options>(command: Command<Own>): Command {
  // The values that it gets were parsed by its own options.
  return command as unknown as Command;
}

/** The parameters of the endpoint that were given. */
export function toQuery<Own extends Options>(options: Own, values: Values<Own>): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, { parameter }] of Object.entries(options)) {
    const value = values[name as keyof Own];
    if (parameter !== undefined && value !== undefined) given[parameter] = String(value);
  }
  return given;
}
