import { cjkRun } from '@shelfwise/facts/text/scripts';
import { wordsOf } from '@shelfwise/facts/text/words';

/**
 * The words by which terms are compared. A run of CJK characters counts as its pairs of neighbors, because
 * dictionaries split the same word differently; a single character stays as it is. A term without words, such as an
 * emoji, is its own word.
 * @param keyword normal form
 * @param lang BCP 47
 */
export function wordSetOf(keyword: string, lang: string): ReadonlySet<string> {
  const words = new Set(wordsOf(keyword.replace(cjkRun, ' '), lang));
  for (const [run] of keyword.matchAll(cjkRun)) for (const pair of pairsOf([...run])) words.add(pair);
  return words.size > 0 ? words : new Set([keyword]);
}

/** Jaccard index: the share of all words of two sets that both have, 0 to 1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** The number of lists that hold each text. A list may hold a text only once. */
export function documentFrequencies(lists: readonly Iterable<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
