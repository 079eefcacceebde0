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
  /** The store's completions of the keyword, in its order. */
  suggestions: readonly string[];
  /** Titles of the ranking apps, in the store's order. */
  titles: readonly string[];
};

/** A keyword that may be related to another. */
export type RelatedCandidate = {
  /** normal form */
  keyword: string;
  /** The store suggests it or several titles contain it, so it is listed even while its traffic is unknown. */
  isShared: boolean;
  /** For a phrase from a title: its words that the keyword does not have. If one is a brand, the phrase is left out. */
  ownWords: readonly string[];
};

/** A related keyword with its stored scores, 0 to 100; null: unknown. Traffic without the store's suggestions is. */
export type RelatedTerm = {
  keyword: string;
  traffic: number | null;
  difficulty: number | null;
  scored_at: Date | null;
};

/** A phrase in this many titles counts as related, even without a word of the keyword. */
const commonTitles = 3;

/** The maximum number of candidates whose traffic is looked up. */
const candidateLimit = 100;

/**
 * The keywords that may be related to a keyword, in normal form. The store's suggestions come first, then words and phrases (up
 * to 3 words) of the ranking titles, most titles first. A title phrase must share a word with the keyword (in CJK two
 * neighboring characters). Otherwise it must be in at least three titles and have no filler word such as `pro`. Each once,
 * without the keyword itself; 100 at most.
 */
export function relatedCandidates(input: RelatedInput): RelatedCandidate[] {
  const candidates = new Map<string, RelatedCandidate>();
  for (const suggestion of input.suggestions.map((text) => normalizeKeyword(text, input.lang)))
    candidates.set(suggestion, { keyword: suggestion, isShared: true, ownWords: [] });
  for (const candidate of titlePhrases(input))
    if (!candidates.has(candidate.keyword)) candidates.set(candidate.keyword, candidate);
  candidates.delete(normalizeKeyword(input.keyword, input.lang));
  return [...candidates.values()]
    .filter(({ keyword }) => keywordProblem(keyword) === null)
    .slice(0, candidateLimit);
}

/**
 * The related keywords, highest traffic first; shared candidates with unknown traffic follow in their own order. Left
 * out are candidates with a traffic below 5, candidates from a single title with unknown traffic, and title phrases
 * that contain another brand.
 * @param scoreOf the stored score of a keyword in normal form, null if there is none; called for the candidates and
 *   their own words
 * @param limit the maximum number of keywords
 */
export function relatedTerms(
  candidates: readonly RelatedCandidate[],
  scoreOf: (
    keyword: string,
  ) => (Pick<KeywordScore, 'traffic' | 'is_partial' | 'difficulty' | 'brand'> & { scored_at?: Date }) | null,
  limit: number,
): RelatedTerm[] {
  const isBrand = (word: string) => (scoreOf(word)?.brand ?? null) !== null;
  return candidates
    .filter(({ ownWords }) => !ownWords.some(isBrand))
    .map(({ keyword, isShared }) => ({ keyword, isShared, score: scoreOf(keyword) }))
    .map(({ score, ...candidate }) => ({
      ...candidate,
      traffic: score && !score.is_partial ? score.traffic : null,
      difficulty: score?.difficulty ?? null,
      scored_at: score?.scored_at ?? null,
    }))
    .filter(({ isShared, traffic }) => (traffic === null ? isShared : traffic >= searchedTraffic))
    .sort((a, b) => (b.traffic ?? -1) - (a.traffic ?? -1))
    .slice(0, limit)
    .map(({ isShared: _isShared, ...term }) => term);
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

/** Whether the phrase contains the keyword or shares a word with it. */
function isAbout(phrase: string, keyword: string, lang: string): boolean {
  if (evidence(keyword, phrase, lang) === 1) return true;
  const keywordThemes = themesOf(keyword, lang);
  return [...themesOf(phrase, lang)].some((theme) => keywordThemes.has(theme));
}

function isCommon(phrase: string, titles: number, lang: string): boolean {
  return titles >= commonTitles && !wordsOf(phrase, lang).some((word) => fillerWords.has(word));
}

/**
 * What two texts are compared by: their words except stop words, and every pair of neighboring CJK characters. Dictionaries
 * split the same CJK word differently.
 */
function themesOf(text: string, lang: string): Set<string> {
  const stopWords = stopWordsOf(lang);
  const words = wordsOf(text, lang).filter((word) => !stopWords.has(word));
  return new Set([...words, ...(normalizeKeyword(text, lang).match(cjkRun) ?? []).flatMap(pairsOf)]);
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
