import { parseOptions } from '@shelfwise/runtime/process/parse-options';

/**
 * An option of a script: its value when it is not given, which also says its type; what the help says; for a number its least and
 * greatest value, for a text whether it must be given.
 */
export type Option = readonly [
  standard: string | number | boolean,
  text: string,
  rule?: readonly [least: number, most: number] | 'required',
];
export type Options = Readonly<Record<string, Option>>;

type Widened<Value> = Value extends number ? number : Value extends boolean ? boolean : string;
export type Values<Own extends Options> = { [Name in keyof Own]: Widened<Own[Name][0]> };

/**
 * Reads the options of a script. Ends the process with the help after --help, or when a value cannot be taken.
 * @param command how the script is started: `npm run crash`
 * @param about what it does
 */
export function readOptions<const Own extends Options>(
  command: string,
  about: string,
  options: Own,
  words: readonly string[] = process.argv.slice(2),
): Values<Own> {
  const names = Object.entries<Option>(options);
  try {
    const { help, ...given } = parseOptions({
      args: [...words],
      options: {
        ...Object.fromEntries(names.map(([name, [standard]]) => [name, { type: typeOf(standard) }])),
        help: { type: 'boolean' },
      },
    }).values as Record<string, string | boolean | undefined>;
    if (!help)
      return Object.fromEntries(
        names.map(([name, option]) => [name, read(name, option, given[name])]),
      ) as Values<Own>;
  } catch (error) {
    console.error(`${(error as Error).message}\n`);
    process.exitCode = 2;
  }
  const shown = names.map(([name, option]) => [`--${name}${placeholder(option)}`, describe(option)] as const);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  console.log(
    [`Usage: ${command} -- [options]\n`, about, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n'),
  );
  return process.exit();
}

function typeOf(standard: Option[0]): 'string' | 'boolean' {
  return typeof standard === 'boolean' ? 'boolean' : 'string';
}

/** @throws Error with a sentence for the user */
function read(name: string, [standard, , rule]: Option, given: string | boolean | undefined): Option[0] {
  if (given === undefined && rule === 'required') throw new Error(`--${name} is missing.`);
  if (typeof standard !== 'number') return given ?? standard;
  const number = given === undefined ? standard : Number(given || Number.NaN);
  const [least, most] = Array.isArray(rule)
    ? (rule as readonly [number, number])
    : [0, Number.POSITIVE_INFINITY];
  if (!(number >= least && number <= most))
    throw new Error(`--${name} takes a number from ${least} to ${most}.`);
  return number;
}

function placeholder([standard]: Option): string {
  if (typeof standard === 'boolean') return '';
  return typeof standard === 'number' ? ' N' : ' TEXT';
}

function describe([standard, text, rule]: Option): string {
  const bounds = Array.isArray(rule) ? `, ${rule[0]} to ${rule[1]}` : '';
  return `${text}${bounds}${standard === '' || standard === false ? '' : ` (default ${standard})`}`;
}
