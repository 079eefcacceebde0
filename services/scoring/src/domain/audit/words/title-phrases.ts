import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { foldWithoutPunctuation } from '@shelfwise/facts/text/normalize-text';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { isAgainstPolicy } from '../../check/check-metadata.ts';
import type { PageApp } from '../../keyword/keyword-reading.ts';
import { isSearchable } from './listing-terms.ts';
import { maxPhraseWords } from './text-reader.ts';

/** More are not chosen anyway (`chooseCandidates`). */
const maxPhrases = 40;
/** A word in the titles of one developer may be a name. */
const minDevelopers = 2;

/**
 * At most 40 words and phrases that a listing might add: those in titles of the most developers among the first ten for its
 * terms. Ties go to the longer phrase, then to the order of the normal form. Left out are terms of stop words and fillers
 * (`app`, `pro`) alone, and words that the store objects to.
 * @param apps the first ten of the listing's relevant terms, in any order; an app may occur several times
 * @param listing `ownTerms`: the terms that the audit already has
 */
export function titlePhrases(
  apps: readonly Pick<PageApp, 'title' | 'developer_name'>[],
  listing: {
    storefront: Pick<Storefront, 'store' | 'lang'>;
    developer_name: string | null;
    ownTerms: ReadonlySet<string>;
  },
): string[] {
  const { store, lang } = listing.storefront;
  const idle = new Set([...stopWordsOf(lang), ...fillerWords]);
  const own = listing.developer_name && foldWithoutPunctuation(listing.developer_name);
  const developersOf = new Map<string, Set<string>>();
  for (const { title, developer_name: name } of apps) {
    if (title === null || name === null) continue;
    const developer = foldWithoutPunctuation(name);
    if (developer === own) continue;
    for (const phrase of phrasesOf(title, lang, maxPhraseWords))
      developersOf.set(phrase, (developersOf.get(phrase) ?? new Set()).add(developer));
  }
  return [...developersOf]
    .filter(
      ([phrase, developers]) =>
        developers.size >= minDevelopers &&
        isSearchable(phrase) &&
        !listing.ownTerms.has(phrase) &&
        wordsOf(phrase, lang).some((word) => !idle.has(word)) &&
        !isAgainstPolicy(store, phrase),
    )
    .sort(([a, one], [b, other]) => other.size - one.size || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, maxPhrases)
    .map(([phrase]) => phrase);
}
