import { parseArgs } from 'node:util';

/** The help text of the scores command. */
export const scoresUsage = `Usage: npm run scores -- explain --store <ITUNES|GPLAY> --country <code> --keyword <words> [options]

Explains the scores of a keyword: the parts with their weights, and the inputs with their age and source. A keyword
without scores is scored first.

  --store <store>     ITUNES (App Store) or GPLAY (Google Play)
  --country <code>    two letters, for example US
  --keyword <words>   in quotes if it has several words
  --lang <language>   default: en-US
  --json              print one JSON document on stdout; everything else goes to stderr
  --help              print this help

The command calls the service on SCORING_ADDRESS if set, else the Shelfwise that runs on SHELFWISE_DATA_DIR. If none
runs, the command starts the services on that folder and stops them at the end.
Exit code: 0 success, 1 failure, 2 invalid options.`;

/** The keyword whose scores to explain. */
export type ScoresCommand = {
  storefront: { store: 'ITUNES' | 'GPLAY'; country: string; lang: string };
  keyword: string;
};

export type ParsedScoresCommand =
  | { kind: 'command'; command: ScoresCommand; isJson: boolean }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

const options = {
  store: { type: 'string' },
  country: { type: 'string' },
  lang: { type: 'string', default: 'en-US' },
  keyword: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments after `npm run scores --`. The service validates country, language and keyword. */
export function parseScoresCommand(argv: readonly string[]): ParsedScoresCommand {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    const { store, country, lang, keyword } = values;
    if (positionals.length !== 1 || positionals[0] !== 'explain')
      throw new Error('Use the command "explain". Put a keyword of several words in quotes.');
    const command = {
      storefront: { store: toStore(store), country: required('country', country), lang },
      keyword: required('keyword', keyword),
    };
    return { kind: 'command', command, isJson: values.json };
  } catch (error) {
    // parseArgs and the checks throw only Errors with a message for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

function toStore(store: string | undefined): 'ITUNES' | 'GPLAY' {
  const name = required('store', store).toUpperCase();
  if (name !== 'ITUNES' && name !== 'GPLAY')
    throw new Error(`"${store}" is not a store. Use ITUNES or GPLAY.`);
  return name;
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new Error(`--${name} is missing.`);
  return value;
}
