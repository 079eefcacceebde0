import type { StoreApp } from './store-app.ts';
import { isFiller, wordsIn } from './words.ts';

const maxSuggestions = 10;
const maxTitleWords = 8;
const maxPhraseWords = 3;
const minLetters = 3;

/**
 * The autocomplete of the recorded store, up to ten completions of a prefix. It suggests phrases of titles; the more ratings
 * the apps have, and the fewer words the phrase, the earlier.
 */
export function createSuggest(apps: readonly StoreApp[]): (prefix: string) => Promise<string[]> {
  const phrasesByFirst = new Map<string, string[]>();
  for (const phrase of phrasesOf(apps)) {
    const phrases = phrasesByFirst.get(phrase.charAt(0));
    if (phrases) phrases.push(phrase);
    else phrasesByFirst.set(phrase.charAt(0), [phrase]);
  }
  return async (prefix) => {
    const text = wordsIn(prefix).join(' ');
    const phrases = phrasesByFirst.get(text.charAt(0)) ?? [];
    return phrases.filter((phrase) => phrase.startsWith(text)).slice(0, maxSuggestions);
  };
}

/** The most popular first. */
function phrasesOf(apps: readonly StoreApp[]): string[] {
  const weights = new Map<string, number>();
  for (const { title, ratings } of apps)
    for (const phrase of phrasesIn(title)) {
      const weight = Math.log10(10 + ratings) / phrase.length;
      const text = phrase.join(' ');
      weights.set(text, (weights.get(text) ?? 0) + weight);
    }
  return [...weights]
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || (one < other ? -1 : 1))
    .map(([phrase]) => phrase);
}

/** One to three words in a row, no filler at either end. */
function phrasesIn(title: string): string[][] {
  const words = wordsIn(title).slice(0, maxTitleWords);
  const phrases = words.flatMap((_, from) =>
    Array.from({ length: Math.min(maxPhraseWords, words.length - from) }, (_, more) =>
      words.slice(from, from + more + 1),
    ),
  );
  return phrases.filter(
    (phrase) =>
      !isFiller(phrase[0] ?? '') && !isFiller(phrase.at(-1) ?? '') && phrase.join('').length >= minLetters,
  );
}
