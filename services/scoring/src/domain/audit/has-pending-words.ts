import type { AsoReport } from './aso-report.ts';

/** Whether a report leaves out words that are not read yet; its scores change once they are. */
export function hasPendingWords({ fields }: Pick<AsoReport, 'fields'>): boolean {
  return fields.some(({ words }) => words.some(({ status }) => status === 'pending'));
}
