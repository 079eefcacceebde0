import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { isAgainstPolicy } from '../../check/check-metadata.ts';
import { isSearchable } from './listing-terms.ts';
import { descriptionLimit, firstWords } from './said.ts';
import { createTermWords } from './term-words.ts';
import { maxPhraseWords } from './text-reader.ts';

/** The words of a live description for which the store's suggestions are read: each costs a call. */
export const maxLookedUp = 10;

type Described = { storefront: Storefront; description: string | null };

/**
 * The words of a description whose suggestions show what people search for around it: the ten that it says most. Among its
 * first 60 words each counts twice; ties go to the first. Each form once, without common words.
 */
export function wordsToLookUp({ storefront, description }: Described): string[] {
  const { lang } = storefront;
  const { formOf, isCommon } = createTermWords(lang);
  const stopWords = stopWordsOf(lang);
  const weights = new Map<string, { word: string; weight: number }>();
  for (const [at, word] of readableWords({ storefront, description }).entries()) {
    const isWord = isSearchable(word) && !stopWords.has(word) && !fillerWords.has(word) && !isCommon(word);
    if (!isWord) continue;
    const known = weights.get(formOf(word)) ?? { word, weight: 0 };
    weights.set(formOf(word), { ...known, weight: known.weight + (at < firstWords ? 2 : 1) });
  }
  return [...weights.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxLookedUp)
    .map(({ word }) => word);
}

/**
 * The suggestions of a store that are words or phrases of a description, up to 3 words and in any form, in their order. Left
 * out are those of common words alone, and those that the store objects to.
 */
export function describedPhrases(
  { storefront, description }: Described,
  suggestions: readonly string[],
): string[] {
  const { store, lang } = storefront;
  const { formOf, isCommon } = createTermWords(lang);
  const forms = new Set(phrasesOf(cut({ storefront, description }), lang, maxPhraseWords).map(formOf));
  const found = new Set(suggestions.map((text) => normalizeKeyword(text, lang)));
  return [...found].filter(
    (phrase) =>
      isSearchable(phrase) &&
      !isCommon(phrase) &&
      forms.has(formOf(phrase)) &&
      !isAgainstPolicy(store, phrase),
  );
}

function readableWords(described: Described): string[] {
  return wordsOf(cut(described), described.storefront.lang);
}

function cut({ storefront, description }: Described): string {
  return (description ?? '').slice(0, descriptionLimit(storefront.store));
}
