import type { AsoReport } from './aso-report.ts';

/**
 * Whether the scores can still change because they leave out words of a scored field, or aimed terms, whose traffic is partial;
 * or a whole field, because too few of its words are read, as those of a long description for hours.
 */
export function hasPartialScores({ fields, targeting }: Pick<AsoReport, 'fields' | 'targeting'>): boolean {
  const isInCoverage = fields.some(({ state, score, words }) => {
    const pending = words.filter(({ status }) => status === 'pending');
    return score === null
      ? state === 'scored' && pending.length > 0
      : pending.some((word) => word.is_partial);
  });
  return isInCoverage || targeting.partial > 0;
}
