import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { compareText } from './niche-term.ts';
import { titlePhrases } from './title-phrases.ts';

/** What the store showed for a topic. */
export type FoundTexts = {
  /** in any spelling */
  topic: string;
  /** The store's completions, one list per prefix (`topicPrefixes`), in the store's order. */
  suggestions: readonly (readonly string[])[];
  /** Titles of the apps that rank for the topic. */
  titles: readonly string[];
};

/**
 * The terms to score, each once, in normal form and in this order, ties in the order of the normal form:
 * - the topic
 * - the store's suggestions: the best position in a list first, then those in more lists, then the lowest sum of
 *   positions
 * - phrases of titles (`titlePhrases`): those of the most titles first
 * Left out are terms that no store can search for (`keywordProblem`), and terms of stop words and fillers (`app`,
 * `free`) alone.
 * @param lang BCP 47
 * @param limit maximum number of terms, 1 or more
 * @returns `dropped`: the number of terms beyond the limit
 */
export function chooseCandidates(
  found: FoundTexts,
  lang: string,
  limit: number,
): { chosen: string[]; dropped: number } {
  const topic = normalizeKeyword(found.topic, lang);
  const suggested = suggestedTerms(found.suggestions, lang);
  const phrases = titlePhrases(found.titles, topic, suggested, lang);
  const ignored = new Set([...stopWordsOf(lang), ...fillerWords]);
  const useful = [...suggested, ...phrases].filter(
    (term) => keywordProblem(term) === null && wordsOf(term, lang).some((word) => !ignored.has(word)),
  );
  const all = [...new Set([topic, ...useful])];
  return { chosen: all.slice(0, limit), dropped: Math.max(0, all.length - limit) };
}

/** The suggestions in normal form, each once, in the order of candidates. */
function suggestedTerms(lists: readonly (readonly string[])[], lang: string): string[] {
  const positionsByTerm = new Map<string, number[]>();
  for (const list of lists) {
    const terms = new Set(list.map((suggestion) => normalizeKeyword(suggestion, lang)));
    for (const [position, term] of [...terms].entries())
      positionsByTerm.set(term, [...(positionsByTerm.get(term) ?? []), position]);
  }
  return [...positionsByTerm]
    .map(([term, positions]) => ({
      term,
      best: Math.min(...positions),
      lists: positions.length,
      sum: sumOf(positions),
    }))
    .sort((a, b) => a.best - b.best || b.lists - a.lists || a.sum - b.sum || compareText(a.term, b.term))
    .map(({ term }) => term);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
