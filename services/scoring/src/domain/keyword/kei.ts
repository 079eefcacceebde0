import { round1 } from '../curve.ts';
import { isThin, thinPage } from './brand.ts';
import type { KeywordScore } from './keyword-score.ts';
import { isSearched } from './search-status.ts';

/** Best first. */
export const keiLevels = ['excellent', 'good', 'fair', 'poor'] as const;

export type KeiLevel = (typeof keiLevels)[number];

/** What held a KEI down: the first of these that applies. */
export const keiReasons = ['no_results', 'unsearched', 'brand', 'few_results'] as const;

export type KeiReason = (typeof keiReasons)[number];

export type Kei = { score: number; level: KeiLevel; reason: KeiReason | null };

/** Just below the levels `good` and `fair`, so that order and level agree. */
const mostOfBrand = 39.9;
const mostUnsearched = 19.9;

/**
 * The keyword effectiveness index, 0 to 100 with one decimal: high for much traffic and little difficulty (docs/scores.md,
 * KEI). A page of fewer than five results counts less: it is no chance but a sign that hardly anyone wants the term. A term
 * that names a brand has at most 39.9, because people who type it look for that brand. One that is not searched, or not known
 * to be, has at most 19.9: it must not fall when its readings are complete.
 * @param score traffic and difficulty, 0 to 100; `results`: the number on the page
 */
export function keiOf(score: {
  traffic: number;
  difficulty: number;
  results: number;
  isNavigational: boolean;
  isSearched: boolean;
}): Kei {
  const demand = Math.log10(1 + Math.max(0, score.traffic - 5)) / Math.log10(96);
  const plain = 100 * demand * (1 - score.difficulty / 100) * Math.min(1, score.results / thinPage);
  const most = Math.min(score.isNavigational ? mostOfBrand : 100, score.isSearched ? 100 : mostUnsearched);
  const kei = round1(Math.min(plain, most));
  return { score: kei, level: levelOf(kei), reason: reasonOf(score) };
}

function levelOf(kei: number): KeiLevel {
  if (kei >= 60) return 'excellent';
  if (kei >= 40) return 'good';
  return kei >= 20 ? 'fair' : 'poor';
}

function reasonOf(score: {
  results: number;
  isNavigational: boolean;
  isSearched: boolean;
}): KeiReason | null {
  if (score.results === 0) return 'no_results';
  if (!score.isSearched) return 'unsearched';
  if (score.isNavigational) return 'brand';
  return isThin(score.results) ? 'few_results' : null;
}

/** The KEI of a stored score; null while one of its scores is unknown. */
export function keiOfScore(
  score: Pick<KeywordScore, 'traffic' | 'difficulty' | 'brand' | 'search_status' | 'results'>,
): Kei | null {
  const { traffic, difficulty, brand, search_status: searchStatus, results } = score;
  if (traffic === null || difficulty === null || results === null) return null;
  return keiOf({
    traffic,
    difficulty,
    results,
    isNavigational: brand !== null,
    isSearched: isSearched({ searchStatus }),
  });
}
