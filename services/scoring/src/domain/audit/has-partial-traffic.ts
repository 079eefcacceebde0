import type { AsoReport } from './aso-report.ts';

/**
 * Whether the scores leave out terms whose traffic is partial, so that they can still change: words of a scored field, or terms
 * that the listing aims at.
 */
export function hasPartialTraffic({ fields, targeting }: Pick<AsoReport, 'fields' | 'targeting'>): boolean {
  const isInCoverage = fields.some(
    ({ score, words }) =>
      score !== null && words.some((word) => word.is_partial && word.status === 'pending'),
  );
  return isInCoverage || targeting.partial > 0;
}
