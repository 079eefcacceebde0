import { round1 } from '../curve.ts';
import type { KeywordScore } from './keyword-score.ts';
import { isSearched } from './search-status.ts';

/** Best first. */
export const keiLevels = ['excellent', 'good', 'fair', 'poor'] as const;

export type KeiLevel = (typeof keiLevels)[number];

/**
 * The keyword effectiveness index, 0 to 100 with one decimal: high for much traffic and little difficulty
 * (docs/scores.md, KEI). A term that names a brand has at most the level `fair`, because people who type it look for
 * that brand. An unsearched term is `poor`.
 * @param score traffic and difficulty, 0 to 100
 */
export function keiOf(score: {
  traffic: number;
  difficulty: number;
  isNavigational: boolean;
  isSearched: boolean;
}): { score: number; level: KeiLevel } {
  const demand = Math.log10(1 + Math.max(0, score.traffic - 5)) / Math.log10(96);
  const kei = round1(100 * demand * (1 - score.difficulty / 100));
  return { score: kei, level: score.isSearched ? levelOf(kei, score.isNavigational) : 'poor' };
}

function levelOf(kei: number, isNavigational: boolean): KeiLevel {
  if (kei >= 60 && !isNavigational) return 'excellent';
  if (kei >= 40 && !isNavigational) return 'good';
  return kei >= 20 ? 'fair' : 'poor';
}

/** The KEI of a stored score; null while one of its scores is unknown. */
export function keiOfScore(
  score: Pick<KeywordScore, 'traffic' | 'difficulty' | 'brand' | 'search_status'>,
): ReturnType<typeof keiOf> | null {
  const { traffic, difficulty, brand, search_status: searchStatus } = score;
  if (traffic === null || difficulty === null) return null;
  return keiOf({
    traffic,
    difficulty,
    isNavigational: brand !== null,
    isSearched: isSearched({ searchStatus }),
  });
}
