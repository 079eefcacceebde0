import type { Command, Options } from '../commands/define-command.ts';

/** The options of every command that calls the API. */
export const commonOptions = {
  json: { text: 'print what the API answers, as JSON' },
  url: { value: 'URL', text: 'address of the API; default: SHELFWISE_BASE_URL' },
  'key-file': { value: 'FILE', text: 'file with the API key, which only you may read' },
  timeout: { value: 'SECONDS', text: 'how long an answer may take' },
} as const satisfies Options;

const csvOption = { csv: { text: 'print the CSV of the API' } } as const satisfies Options;

const helpOption = { help: { short: 'h', text: 'print this help' } } as const satisfies Options;

/** All options of a command. */
export function allOptions({ options, endpoint }: Command): Options {
  if (endpoint === null) return { ...options, ...helpOption };
  return { ...options, ...commonOptions, ...(endpoint.hasCsv ? csvOption : undefined), ...helpOption };
}
