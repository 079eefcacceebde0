import { randomUUID } from 'node:crypto';
import { canonicalCountry } from '@shelfwise/facts/stores/country';
import { canonicalLanguage } from '@shelfwise/facts/stores/language';
import { type Store, storeInSentence } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import { readConfig } from '@shelfwise/runtime/process/config';
import { scoresConfig } from '../config.ts';
import { createSampleClock } from '../start/sample-clock.ts';
import { connectService } from './lib/connect-service.ts';
import { defineCommand } from './lib/define-command.ts';
import { formatBreakdown } from './lib/format-breakdown.ts';
import { startIfMain } from './lib/start-if-main.ts';

/** A keyword without scores takes several store calls, and each may wait for the store budget. */
const callTimeoutMs = 120_000;

/** Explains the scores of a keyword. The service validates it. */
export const scores = defineCommand({
  usage: `Usage: npm run scores -- explain --store <ITUNES|GPLAY> --country <code> --keyword <words> [options]

Explains the scores of a keyword: the parts with their weights, and the inputs with their age and source. A keyword
without scores is scored first.

  --store <store>     ITUNES (App Store) or GPLAY (Google Play)
  --country <code>    two letters, for example US
  --keyword <words>   in quotes if it has several words
  --lang <language>   the tag that the keyword list shows; default: en-US
  --json              print one JSON document on stdout; everything else goes to stderr
  --help              print this help

The command calls the service on SCORING_ADDRESS if set, else the Shelfwise that runs on SHELFWISE_DATA_DIR.
Exit code: 0 success, 1 failure, 2 invalid options.`,
  options: {
    store: { type: 'string' },
    country: { type: 'string' },
    lang: { type: 'string', default: 'en-US' },
    keyword: { type: 'string' },
  },
  hasWords: true,
  read({ store, country, lang, keyword }, words) {
    if (words.length !== 1 || words[0] !== 'explain')
      throw new Error('Use the command "explain". Put a keyword of several words in quotes.');
    return {
      storefront: toStorefront(toStore(store), required('country', country), lang),
      keyword: required('keyword', keyword),
    };
  },
  async run(asked, { env, print }) {
    const settings = readConfig(scoresConfig, env);
    const { client, close } = await connectService(
      {
        service: ScoringServiceService,
        name: 'scoring',
        setting: 'SCORING_ADDRESS',
        address: settings.SCORING_ADDRESS,
        longestCallMs: callTimeoutMs,
      },
      { settings, print },
    );
    try {
      const deadline = new Date(Date.now() + callTimeoutMs);
      const { breakdown } = await client.explainScores(asked, {
        requestId: `scores-${randomUUID()}`,
        deadline,
      });
      if (!breakdown) throw new AppError('INTERNAL_ERROR', 'The scoring service returned no breakdown.');
      return { result: breakdown };
    } finally {
      close();
    }
  },
  format: (breakdown, _, env) => formatBreakdown(breakdown, createSampleClock(env.SAMPLE_DAY)()),
});

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

startIfMain(import.meta.filename, scores);
