import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { keywordProblem } from '@shelfwise/facts/text/keyword';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { type Importance, importances } from '../term-schedule.ts';
import { auditFields, isAimed } from './audit-field.ts';
import type { ListingTexts } from './audit-input.ts';

/**
 * Every term costs store calls. The name, subtitle and keywords field share one bound, the long description has its
 * own, so that another word in one displaces none of the other. Only texts in a language of short words reach the
 * bounds.
 */
const maxTerms = { indexed: 200, described: 400 } as const;

/** The maximum number of words in a phrase that a listing can aim at. (docs/scores.md, targeting) */
export const maxPhraseWords = 3;

/**
 * Every word and phrase whose scores the audit of a listing uses, each once, in normal form, the most important
 * first: the words of the name, subtitle and keywords field, then their phrases, 200 terms at most; then the words of
 * a long description that the store indexes, 400 at most. Stop words and text beyond a field's limit are left out.
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

/** Whether a word or phrase can be a search term: a single letter cannot, a single Han character can (猫, 本). */
export function isSearchable(keyword: string): boolean {
  return keywordProblem(keyword) === null || /^\p{Script=Han}$/u.test(keyword);
}
