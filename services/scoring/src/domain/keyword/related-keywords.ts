import { evidence } from '@shelfwise/facts/text/evidence';
import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { cjkRun } from '@shelfwise/facts/text/scripts';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { KeywordScore } from './keyword-score.ts';
import { searchedTraffic } from './search-status.ts';

export type RelatedInput = {
  keyword: string;
  /** BCP 47 */
  lang: string;
  /** What the store completes the keyword to, in its order. */
  suggestions: readonly string[];
  /** Titles of the apps that rank for it, in the store's order. */
  titles: readonly string[];
};

/** A keyword that may be related to another. */
export type RelatedCandidate = {
  /** normal form */
  keyword: string;
  /** The store suggests it, or several titles hold it: it is told also while its traffic is not known. */
  isShared: boolean;
  /** Its words that the keyword lacks, when it comes from a title: a brand among them makes it a scrap of that title. */
  ownWords: readonly string[];
};

/** From so many titles on a phrase is what the results are about, though no word of the keyword is in it. */
const commonTitles = 3;

/** How many candidates are worth a look at their traffic. */
const candidateLimit = 100;

/**
 * The keywords that may be related to one: first what the store suggests for it, then the words and phrases (up to 3
 * words) of the ranking titles, those of the most titles first: they share a word with the keyword (in CJK two
 * neighboring characters), or stand in three titles at least and hold no filler such as `pro` or `free`. Each once,
 * without the keyword; 100 at most.
 */
export function relatedCandidates(input: RelatedInput): RelatedCandidate[] {
  const candidates = new Map<string, RelatedCandidate>();
  for (const suggestion of input.suggestions.map(normalizeKeyword))
    candidates.set(suggestion, { keyword: suggestion, isShared: true, ownWords: [] });
  for (const candidate of titlePhrases(input))
    if (!candidates.has(candidate.keyword)) candidates.set(candidate.keyword, candidate);
  candidates.delete(normalizeKeyword(input.keyword));
  return [...candidates.values()]
    .filter(({ keyword }) => keywordProblem(keyword) === null)
    .slice(0, candidateLimit);
}

/**
 * The candidates by traffic, the best first. Shared ones whose traffic is not known follow in their own order. Left out
 * are those that are known to be searched by nobody, those of a single title that are not known to be searched, and those
 * of titles that hold a brand.
 * @param scoreOf what is known of a keyword in its normal form; asked for the candidates and their own words
 * @param limit how many at most
 */
export function relatedKeywords(
  candidates: readonly RelatedCandidate[],
  scoreOf: (keyword: string) => Pick<KeywordScore, 'traffic' | 'brand'> | null,
  limit: number,
): string[] {
  const isBrand = (word: string) => (scoreOf(word)?.brand ?? null) !== null;
  return candidates
    .filter(({ ownWords }) => !ownWords.some(isBrand))
    .map(({ keyword, isShared }) => ({ keyword, isShared, traffic: scoreOf(keyword)?.traffic ?? null }))
    .filter(({ isShared, traffic }) => (traffic === null ? isShared : traffic >= searchedTraffic))
    .sort((a, b) => (b.traffic ?? -1) - (a.traffic ?? -1))
    .slice(0, limit)
    .map(({ keyword }) => keyword);
}

function titlePhrases({ keyword, lang, titles }: RelatedInput): RelatedCandidate[] {
  const counts = new Map<string, number>();
  for (const phrase of titles.flatMap((title) => phrasesOf(title, lang, 3))) {
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const keywordWords = new Set(wordsOf(keyword, lang));
  return [...counts]
    .filter(([phrase, count]) => isAbout(phrase, keyword, lang) || isCommon(phrase, count, lang))
    .sort(([, a], [, b]) => b - a)
    .map(([phrase, count]) => ({
      keyword: phrase,
      isShared: count > 1,
      ownWords: wordsOf(phrase, lang).filter((word) => !keywordWords.has(word)),
    }));
}

function isAbout(phrase: string, keyword: string, lang: string): boolean {
  if (evidence(keyword, phrase, lang) === 1) return true;
  const keywordThemes = themesOf(keyword, lang);
  return [...themesOf(phrase, lang)].some((theme) => keywordThemes.has(theme));
}

function isCommon(phrase: string, titles: number, lang: string): boolean {
  return titles >= commonTitles && !wordsOf(phrase, lang).some((word) => fillerWords.has(word));
}

/** The words but stop words, and every two neighboring CJK characters: dictionaries cut the same word differently. */
function themesOf(text: string, lang: string): Set<string> {
  const stopWords = stopWordsOf(lang);
  const words = wordsOf(text, lang).filter((word) => !stopWords.has(word));
  return new Set([...words, ...(normalizeKeyword(text).match(cjkRun) ?? []).flatMap(pairsOf)]);
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
