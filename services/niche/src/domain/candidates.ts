import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { compareText } from './niche-term.ts';
import { titlePhrases } from './title-phrases.ts';

export type FoundTexts = {
  /** in any spelling */
  topic: string;
  /**
   * The store's completions of the topic and of the topic with each letter: one list per prefix, in the store's
   * order.
   */
  suggestions: readonly (readonly string[])[];
  /** Titles of the apps that rank for the topic. */
  titles: readonly string[];
};

/**
 * The terms to score, each once, in normal form and in this order:
 * 1. the topic
 * 2. the store's suggestions: the best place in a list first, then those in more lists, then the lowest sum of places
 * 3. phrases of titles (`titlePhrases`): those of the most titles first
 *
 * Ties are in the order of the normal form, so the order of the titles and of the lists does not matter. Terms that
 * no store can be searched for and terms of nothing but stop words and fillers (`app`, `free`) are left out.
 * @param lang BCP 47
 * @param limit maximum number of terms, 1 or more
 * @returns `dropped`: the number of terms beyond the limit
 */
export function chooseCandidates(
  found: FoundTexts,
  lang: string,
  limit: number,
): { chosen: string[]; dropped: number } {
  const topic = normalizeKeyword(found.topic);
  const suggested = suggestedTerms(found.suggestions);
  const phrases = titlePhrases(found.titles, topic, suggested, lang);
  const ignored = new Set([...stopWordsOf(lang), ...fillerWords]);
  const useful = [...suggested, ...phrases].filter(
    (term) => keywordProblem(term) === null && wordsOf(term, lang).some((word) => !ignored.has(word)),
  );
  const all = [...new Set([topic, ...useful])];
  return { chosen: all.slice(0, limit), dropped: Math.max(0, all.length - limit) };
}

function suggestedTerms(lists: readonly (readonly string[])[]): string[] {
  const places = new Map<string, number[]>();
  for (const list of lists) {
    for (const [at, term] of [...new Set(list.map(normalizeKeyword))].entries())
      places.set(term, [...(places.get(term) ?? []), at]);
  }
  return [...places]
    .map(([term, at]) => ({ term, best: Math.min(...at), lists: at.length, sum: sumOf(at) }))
    .sort((a, b) => a.best - b.best || b.lists - a.lists || a.sum - b.sum || compareText(a.term, b.term))
    .map(({ term }) => term);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
