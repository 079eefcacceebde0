import type { KeywordScore } from './keyword-score.ts';

/**
 * Whether there is a traffic score that was computed before the store's suggestions were known. Never where the store has none
 * (`knownSuggestion`). Scores of versions before 4 do not say so; they are soon computed again.
 */
export function isPartial({ is_partial: isStored = false }: Pick<KeywordScore, 'is_partial'>): boolean {
  return isStored;
}
