import { round1 } from '../curve.ts';

/** Best first. */
export const keiLevels = ['excellent', 'good', 'fair', 'poor'] as const;

export type KeiLevel = (typeof keiLevels)[number];

/**
 * The keyword effectiveness index, 0 to 100 with one decimal: high for much traffic and little difficulty
 * (docs/scores.md, KEI). A term that names a brand has at most the level `fair`, because people who type it look for
 * that brand.
 * @param score traffic and difficulty, 0 to 100
 */
export function keiOf(score: { traffic: number; difficulty: number; isNavigational: boolean }): {
  score: number;
  level: KeiLevel;
} {
  const demand = Math.log10(1 + Math.max(0, score.traffic - 5)) / Math.log10(96);
  const kei = round1(100 * demand * (1 - score.difficulty / 100));
  return { score: kei, level: levelOf(kei, score.isNavigational) };
}

function levelOf(kei: number, isNavigational: boolean): KeiLevel {
  if (kei >= 60 && !isNavigational) return 'excellent';
  if (kei >= 40 && !isNavigational) return 'good';
  return kei >= 20 ? 'fair' : 'poor';
}
