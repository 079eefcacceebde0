import type { Command, Option, Options } from '../commands/define-command.ts';
import { exitCodes, exitCodeTexts } from '../exit-codes.ts';
import { allOptions } from './common-options.ts';

/** The columns of a line of the help. */
const helpWidth = 100;

/** The help of the program. */
export function formatHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `Usage: shelfwise COMMAND [OPTIONS]

Ranks, keywords, audits, niches and charts of app stores, from a Shelfwise API.

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

shelfwise COMMAND --help has its options and an example; shelfwise --version prints the version.

Settings (environment):
  SHELFWISE_API_KEY   the API key
  SHELFWISE_KEY_FILE  a file with the key, which only you may read; default: ~/.config/shelfwise/key
  SHELFWISE_BASE_URL  the address of the API; default: http://localhost:8080
  SHELFWISE_INSECURE  true: the address may be http on another machine

Exit codes:
${Object.entries(exitCodes)
  .map(([name, code]) => `  ${String(code).padEnd(3)}  ${exitCodeTexts[name as keyof typeof exitCodes]}`)
  .join('\n')}`;
}

/** The help of a command. */
export function formatCommandHelp(command: Command): string {
  const { name, summary, words, details, example } = command;
  return [
    `Usage: ${['shelfwise', name, ...words, '[OPTIONS]'].join(' ')}`,
    [`${summary}.`, ...(details === undefined ? [] : [wrap(details)])].join('\n'),
    `Options:\n${formatOptions(allOptions(command))}`,
    `Example:\n  shelfwise ${example}`,
  ].join('\n\n');
}

function formatOptions(options: Options): string {
  const rows = Object.entries(options).map(
    ([name, option]) => [toUsage(name, option), toText(option)] as const,
  );
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return rows.map(([usage, text]) => `  ${usage.padEnd(width)}  ${text}`).join('\n');
}

function toUsage(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function toText({ text, choices, isMultiple }: Option): string {
  const values = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return `${text}${values}${isMultiple ? '; may be given several times' : ''}`;
}

/** Breaks lines between words. */
function wrap(text: string): string {
  return text.replace(new RegExp(`(?=.{${helpWidth + 1}})(.{1,${helpWidth}}) `, 'g'), '$1\n');
}
