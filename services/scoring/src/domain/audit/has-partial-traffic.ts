import type { AsoReport, WordEntry } from './aso-report.ts';

/** A word with one of these may change its field's score once its traffic is complete. */
const countedStatuses: readonly WordEntry['status'][] = ['earning', 'extra-reach', 'not-searched'];

/**
 * Whether a term that enters the scores has a traffic without the store's suggestions, so that they can still change:
 * a word of a scored field, or a graded term. False for reports from before the traffic said so.
 */
export function hasPartialTraffic({ fields, targeting }: Pick<AsoReport, 'fields' | 'targeting'>): boolean {
  const isInCoverage = fields.some(
    ({ score, words }) =>
      score !== null && words.some((word) => word.is_partial && countedStatuses.includes(word.status)),
  );
  return isInCoverage || targeting.keywords.some((term) => term.is_partial && term.difficulty !== null);
}
