import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';

/** Whether a report leaves words out because nothing is known of them yet: its scores change with them. */
export function holdsPending({ fields }: Pick<AsoReport, 'fields'>): boolean {
  return fields.some(({ words }) => words.some(({ status }) => status === 'pending'));
}
