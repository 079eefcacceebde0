import type { AsoReport } from './aso-report.ts';

/**
 * Whether the scores can still change because they leave out words of a scored field, or aimed terms, whose traffic is partial.
 */
export function hasPartialTraffic({ fields, targeting }: Pick<AsoReport, 'fields' | 'targeting'>): boolean {
  const isInCoverage = fields.some(
    ({ score, words }) =>
      score !== null && words.some((word) => word.is_partial && word.status === 'pending'),
  );
  return isInCoverage || targeting.partial > 0;
}
