import type { KeywordRow } from './model.ts';

/** Whether a score of the keyword is being measured. */
export function hasPendingScores({
  traffic,
  difficulty,
  kei,
}: Pick<KeywordRow, 'traffic' | 'difficulty' | 'kei'>): boolean {
  return [traffic, difficulty, kei].some(({ state }) => state === 'pending');
}
