import { cjkRun } from '@shelfwise/facts/text/scripts';
import { wordsOf } from '@shelfwise/facts/text/words';

/**
 * What two terms are compared by: the words, and of a run of CJK characters every two neighbors, because dictionaries cut
 * the same word differently (one character by itself is one). A term without any word, such as an emoji, is its own word.
 * @param keyword normal form
 * @param lang BCP 47
 */
export function wordSetOf(keyword: string, lang: string): ReadonlySet<string> {
  const words = new Set(wordsOf(keyword.replace(cjkRun, ' '), lang));
  for (const [run] of keyword.matchAll(cjkRun)) for (const pair of pairsOf([...run])) words.add(pair);
  return words.size > 0 ? words : new Set([keyword]);
}

/** The share of all words of two sets that both hold, 0 to 1: Jaccard. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** How many of the lists hold each text; a list holds a text once at most. */
export function documentFrequencies(lists: readonly Iterable<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
