import { isSoldIn, type SampleApp } from './apps.ts';
import type { Document } from './documents.ts';
import { ratingsOn, strengthOf } from './popularity.ts';
import { drift, mix, seedOf, unit } from './random.ts';
import type { Match } from './search-index.ts';

/**
 * A country's result page of one day: relevance times popularity, with a small fluctuation of each app for each term.
 * The fluctuation is least for popular apps, so that ranks move a few positions from day to day, and top ranks less than
 * the rest.
 */
export function rankResults(
  matches: readonly Match[],
  term: string,
  { country, day }: { country: string; day: number },
): Document[] {
  const termSeed = seedOf(`search/${country}/${term}`);
  return matches
    .filter(({ document }) => isSoldIn(document.app, country))
    .map(({ document, relevance }) => {
      const strength = strengthOf(ratingsOn(document.app, country, day));
      const change = (0.08 + 0.42 * (1 - strength)) * fluctuation(document.app, termSeed, day);
      return { document, value: relevance ** 1.6 * (0.04 + strength ** 2) * (1 + change) };
    })
    .sort((a, b) => b.value - a.value || (a.document.app.appId < b.document.app.appId ? -1 : 1))
    .map(({ document }) => document);
}

/** -1 to 1: the sum of a slow part that lasts about a week and a daily part. */
function fluctuation(app: SampleApp, termSeed: number, day: number): number {
  const seed = mix(app.seed, termSeed);
  return 0.6 * drift(seed, day, 7) + 0.4 * (2 * unit(mix(seed, day)) - 1);
}
