import { keywordProblem } from '@shelfwise/facts/keyword';
import type { Storefront } from '@shelfwise/facts/storefront';
import { type Importance, importances } from '../../stores/stored-term.ts';
import { phrasesOf } from '../text/phrases.ts';
import { stopWordsOf } from '../text/stop-words.ts';
import { wordsOf } from '../text/words.ts';
import { auditFields, isAimed } from './audit-field.ts';
import type { ListingTexts } from './audit-input.ts';

/** Every term costs store calls. Only a long description in a language of short words reaches this. */
const maxTerms = 600;

/** Words of a phrase that a listing can aim at. (spec: scoring, tier and targeting) */
export const maxPhraseWords = 3;

/**
 * Every word and phrase whose scores the audit of a listing looks at, each once, in its normal form, the most
 * important first: the words of name, subtitle and keywords field, then their phrases, then the words of a long
 * description that the store indexes. Stop words are left out. 600 at most, and
 * of the first 4,000 units of each field; what lies beyond is no part of the audit.
 */
export function listingTerms(listing: {
  storefront: Storefront;
  texts: ListingTexts;
}): { keyword: string; importance: Importance }[] {
  const { store, lang } = listing.storefront;
  const indexed = auditFields(store, listing.texts).filter((field) => field.isIndexed);
  const aimed = indexed.filter(isAimed).map((field) => field.readable);
  const described = indexed.filter((field) => !isAimed(field)).map((field) => field.readable);
  const stopWords = stopWordsOf(lang);
  const importanceOf = new Map<string, Importance>();
  const add = (keywords: readonly string[], importance: Importance) => {
    for (const keyword of keywords) {
      if (isSearchable(keyword) && !stopWords.has(keyword) && !importanceOf.has(keyword))
        importanceOf.set(keyword, importance);
    }
  };
  for (const text of aimed) add(wordsOf(text, lang), importances.indexed);
  for (const text of aimed) add(phrasesOf(text, lang, maxPhraseWords), importances.indexed);
  for (const text of described) add(wordsOf(text, lang), importances.described);
  return [...importanceOf].slice(0, maxTerms).map(([keyword, importance]) => ({ keyword, importance }));
}

/** Whether a word or phrase can be a search term: a single letter is none, a single Han character can be (猫, 本). */
export function isSearchable(keyword: string): boolean {
  return keywordProblem(keyword) === null || /^\p{Script=Han}$/u.test(keyword);
}
