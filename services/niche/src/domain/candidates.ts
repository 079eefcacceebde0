import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { compareText } from './niche-term.ts';
import { titlePhrases } from './title-phrases.ts';

export type FoundTexts = {
  /** in any spelling */
  topic: string;
  /** What the store completes the topic to, and the topic with each letter: one list each, in the store's order. */
  suggestions: readonly (readonly string[])[];
  /** Titles of the apps that rank for the topic. */
  titles: readonly string[];
};

/**
 * The terms worth a look at their scores, in normal form, each once: the topic, then what the store suggests, the higher
 * in one list the earlier, then in more lists, then higher in all of them, then the phrases of several titles, those of the most titles first, then
 * those of one. Equals stand in the order of the normal form, so that neither the order of the titles nor that of the
 * lists matters. Left out are terms that no store can be searched for, those without a word but stop words and fillers (`app`,
 * `free`), and what `titlePhrases` leaves out.
 * @param lang BCP 47
 * @param limit the most that there is time for, 1 or more
 * @returns `dropped`: how many there were beyond the limit
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
