import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { keywordProblem } from '@shelfwise/facts/text/keyword';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { type Importance, importances } from '../term-schedule.ts';
import { auditFields, isAimed } from './audit-field.ts';
import type { ListingTexts } from './audit-input.ts';

/**
 * Every term costs store calls. Name, subtitle and keywords, and the long description, have a bound of their own each, so
 * that a word more in the one pushes none out of the other. Only texts in a language of short words reach them.
 */
const maxTerms = { indexed: 200, described: 400 } as const;

/** Words of a phrase that a listing can aim at. (spec: scoring, tier and targeting) */
export const maxPhraseWords = 3;

/**
 * Every word and phrase whose scores the audit of a listing looks at, each once, in its normal form, the most
 * important first: the words of name, subtitle and keywords field, then their phrases, 200 at most; then the words of a
 * long description that the store indexes, 400 at most. Stop words are left out, and so is what stands beyond a field's
 * limit.
 */
export function listingTerms(listing: {
  storefront: Storefront;
  texts: ListingTexts;
}): { keyword: string; importance: Importance }[] {
  const { storefront, texts } = listing;
  const { lang } = storefront;
  const indexed = auditFields(storefront, texts).filter((field) => field.isIndexed);
  const aimed = indexed.filter(isAimed).map((field) => field.readable);
  const described = indexed.filter((field) => !isAimed(field)).map((field) => field.readable);
  const stopWords = stopWordsOf(lang);
  const isTerm = (keyword: string) => isSearchable(keyword) && !stopWords.has(keyword);

  const words = aimed.flatMap((text) => wordsOf(text, lang));
  const phrases = aimed.flatMap((text) => phrasesOf(text, lang, maxPhraseWords));
  const candidates = new Set([...words, ...phrases].filter(isTerm));
  const indexedTerms = new Set([...candidates].slice(0, maxTerms.indexed));
  const describedWords = new Set(described.flatMap((text) => wordsOf(text, lang)).filter(isTerm));
  const describedTerms = [...describedWords]
    .filter((word) => !indexedTerms.has(word))
    .slice(0, maxTerms.described);
  return [
    ...[...indexedTerms].map((keyword) => ({ keyword, importance: importances.indexed })),
    ...describedTerms.map((keyword) => ({ keyword, importance: importances.described })),
  ];
}

/** Whether a word or phrase can be a search term: a single letter is none, a single Han character can be (猫, 本). */
export function isSearchable(keyword: string): boolean {
  return keywordProblem(keyword) === null || /^\p{Script=Han}$/u.test(keyword);
}
