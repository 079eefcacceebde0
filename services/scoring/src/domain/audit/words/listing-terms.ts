import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { keywordProblem } from '@shelfwise/facts/text/keyword';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { type Importance, importances } from '../../term-schedule.ts';
import { auditFields, isAimed } from '../audit-field.ts';
import type { ListingTexts } from '../audit-input.ts';
import { createTextReader, maxPhraseWords, type TextReader } from './text-reader.ts';

/**
 * Maximum number of terms per listing, because measuring a term costs store calls. The long description has a limit of
 * its own, so that its words and those of the other fields never displace each other. Usually only texts in scripts
 * without spaces, with words of one or two characters, reach these limits.
 */
export const maxTerms = { indexed: 200, described: 400 } as const;

/**
 * Every word and phrase whose scores the audit of a listing uses, each once, in normal form, the most important first. These
 * are at most 200 words, then phrases, of the name, subtitle and keywords field. At most 400 further words of Google Play's
 * full description follow, without phrases. Stop words and text beyond a field's limit are left out.
 */
export function listingTerms(
  listing: { storefront: Storefront; texts: ListingTexts },
  { wordsIn, phrasesIn }: TextReader = createTextReader(listing.storefront.lang),
): { keyword: string; importance: Importance }[] {
  const { storefront, texts } = listing;
  const { lang } = storefront;
  const indexed = auditFields(storefront, texts).filter((field) => field.isIndexed);
  const shortTexts = indexed.filter(isAimed).map((field) => field.readable);
  const descriptions = indexed.filter((field) => !isAimed(field)).map((field) => field.readable);
  const stopWords = stopWordsOf(lang);
  const isTerm = (keyword: string) => isSearchable(keyword) && !stopWords.has(keyword);

  const shortWords = new Set(shortTexts.flatMap(wordsIn));
  const phrases = shortTexts.flatMap(phrasesIn);
  const candidates = new Set([...shortWords, ...phrases].filter(isTerm));
  const indexedTerms = new Set([...candidates].slice(0, maxTerms.indexed));
  const describedWords = new Set(descriptions.flatMap(wordsIn).filter(isTerm));
  const describedTerms = [...describedWords]
    .filter((word) => !indexedTerms.has(word))
    .slice(0, maxTerms.described);
  return [
    ...[...indexedTerms].map((keyword) => ({
      keyword,
      importance: shortWords.has(keyword) ? importances.indexed : importances.phrase,
    })),
    ...describedTerms.map((keyword) => ({ keyword, importance: importances.described })),
  ];
}

/** The terms that a field has because it has this word or phrase: its words, then its phrases. In normal form. */
export function termsIn(keyword: string, lang: string): string[] {
  const stopWords = stopWordsOf(lang);
  const found = new Set([...wordsOf(keyword, lang), ...phrasesOf(keyword, lang, maxPhraseWords)]);
  return [...found].filter((term) => isSearchable(term) && !stopWords.has(term));
}

/**
 * Whether people can search for a word or phrase. A keyword needs two characters; the exception is a single Han
 * character, which can be a whole word (猫, 本).
 */
export function isSearchable(keyword: string): boolean {
  return keywordProblem(keyword) === null || /^\p{Script=Han}$/u.test(keyword);
}
