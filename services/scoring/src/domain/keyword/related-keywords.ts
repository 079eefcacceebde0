import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/keyword';
import { phrasesOf } from '../text/phrases.ts';
import { wordsOf } from '../text/words.ts';
import { searchedTraffic } from './standing.ts';

export type RelatedInput = {
  keyword: string;
  /** BCP 47 */
  lang: string;
  /** What the store completes the keyword to, in its order. */
  suggestions: readonly string[];
  /** Titles of the apps that rank for it, in the store's order. */
  titles: readonly string[];
};

/** How many candidates are worth a look at their traffic. */
const candidateLimit = 100;

/**
 * The keywords that may be related to one: first what the store suggests for it, then the words and phrases (up to 3
 * words) of the ranking titles: those that several titles share, the most shared first, then those of one title that
 * hold a word of the keyword. In normal form, each once, without the keyword; 100 at most.
 */
export function relatedCandidates(input: RelatedInput): string[] {
  const keyword = normalizeKeyword(input.keyword);
  const candidates = new Set([...input.suggestions.map(normalizeKeyword), ...titlePhrases(input)]);
  candidates.delete(keyword);
  return [...candidates].filter((candidate) => keywordProblem(candidate) === null).slice(0, candidateLimit);
}

/**
 * The candidates by traffic, the best first. Those whose traffic is not known follow in their own order; those that are
 * known to be searched by nobody are left out.
 * @param limit how many at most
 */
export function relatedKeywords(
  input: RelatedInput & { trafficOf: (keyword: string) => number | null },
  limit: number,
): string[] {
  return relatedCandidates(input)
    .map((keyword) => ({ keyword, traffic: input.trafficOf(keyword) }))
    .filter(({ traffic }) => traffic === null || traffic >= searchedTraffic)
    .sort((a, b) => (b.traffic ?? -1) - (a.traffic ?? -1))
    .slice(0, limit)
    .map(({ keyword }) => keyword);
}

function titlePhrases({ keyword, lang, titles }: RelatedInput): string[] {
  const counts = new Map<string, number>();
  for (const phrase of titles.flatMap((title) => phrasesOf(title, lang, 3))) {
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const words = new Set(wordsOf(keyword, lang));
  return [...counts]
    .filter(([phrase, count]) => count > 1 || wordsOf(phrase, lang).some((word) => words.has(word)))
    .sort(([, a], [, b]) => b - a)
    .map(([phrase]) => phrase);
}
