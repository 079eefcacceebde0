import { canonicalCountry } from '@shelfwise/facts/stores/country';
import { canonicalLanguage } from '@shelfwise/facts/stores/language';
import { type Store, storeInSentence } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { parseOptions } from '@shelfwise/runtime/process/parse-options';

/** The help text of the scores command. */
export const scoresUsage = `Usage: npm run scores -- explain --store <ITUNES|GPLAY> --country <code> --keyword <words> [options]

Explains the scores of a keyword: the parts with their weights, and the inputs with their age and source. A keyword
without scores is scored first.

  --store <store>     ITUNES (App Store) or GPLAY (Google Play)
  --country <code>    two letters, for example US
  --keyword <words>   in quotes if it has several words
  --lang <language>   the tag that the keyword list shows; default: en-US
  --json              print one JSON document on stdout; everything else goes to stderr
  --help              print this help

The command calls the service on SCORING_ADDRESS if set, else the Shelfwise that runs on SHELFWISE_DATA_DIR.
Exit code: 0 success, 1 failure, 2 invalid options.`;

/** The keyword whose scores to explain. */
export type ScoresCommand = {
  storefront: Storefront;
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

/** Parses the arguments after `npm run scores --`. The service validates the keyword. */
export function parseScoresCommand(argv: readonly string[]): ParsedScoresCommand {
  try {
    const { values, positionals } = parseOptions({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    const { store, country, lang, keyword } = values;
    if (positionals.length !== 1 || positionals[0] !== 'explain')
      throw new Error('Use the command "explain". Put a keyword of several words in quotes.');
    const command = {
      storefront: toStorefront(toStore(store), required('country', country), lang),
      keyword: required('keyword', keyword),
    };
    return { kind: 'command', command, isJson: values.json };
  } catch (error) {
    // parseOptions and the checks throw only Errors with a message for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

function toStore(store: string | undefined): Store {
  const name = required('store', store).toUpperCase();
  if (name !== 'ITUNES' && name !== 'GPLAY')
    throw new Error(`"${store}" is not a store. Use ITUNES or GPLAY.`);
  return name;
}

/** @throws Error with a message for the user */
function toStorefront(store: Store, country: string, lang: string): Storefront {
  if (canonicalCountry(store, country) === null)
    throw new Error(`--country: ${country} is not a country of ${storeInSentence(store)}.`);
  if (canonicalLanguage(lang) === null)
    throw new Error(`--lang: ${lang} is not a BCP 47 language such as en-US.`);
  return { store, country, lang };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new Error(`--${name} is missing.`);
  return value;
}
