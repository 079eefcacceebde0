import { parseArgs } from 'node:util';

/** How the scores command is used; for people. */
export const scoresUsage = `Usage: npm run scores -- explain --store <ITUNES|GPLAY> --country <code> --keyword <words> [options]

Shows how the scores of a keyword came about: sub-scores with their weights, what was read, when and from where. One
that was never measured is measured now.

  --store <store>     ITUNES (App Store) or GPLAY (Google Play)
  --country <code>    two letters: US
  --keyword <words>   in quotes when there are several
  --lang <language>   en-US when it is left out
  --json              one JSON document on stdout, everything else on stderr
  --help              print this

The service on SCORING_ADDRESS is asked where that is set, else the Shelfwise that runs on SHELFWISE_DATA_DIR; where none
runs, the command starts what it needs on that folder and stops it at the end.
Exit code: 0 explained, 1 something failed, 2 the options cannot be used.`;

/** Whose scores to explain. */
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

/** Reads the words after `npm run scores --`; asks nobody. Countries, languages and keywords the service checks. */
export function parseScoresCommand(argv: readonly string[]): ParsedScoresCommand {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    const { store, country, lang, keyword } = values;
    if (positionals.length !== 1 || positionals[0] !== 'explain')
      throw new Error('Say what to do: explain. Words of a keyword go into quotes.');
    const command = {
      storefront: { store: toStore(store), country: given('country', country), lang },
      keyword: given('keyword', keyword),
    };
    return { kind: 'command', command, isJson: values.json };
  } catch (error) {
    // parseArgs and the checks throw nothing but Errors, with a sentence for people.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

function toStore(store: string | undefined): 'ITUNES' | 'GPLAY' {
  const name = given('store', store).toUpperCase();
  if (name !== 'ITUNES' && name !== 'GPLAY') throw new Error(`"${store}" is no store: ITUNES or GPLAY.`);
  return name;
}

function given(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new Error(`--${name} is missing.`);
  return value;
}
