import type { AsoReport } from './aso-report.ts';
import { createWordKinds } from './word-kind.ts';

/** Statuses that only a measured word can have. */
const measured: ReadonlySet<string> = new Set(['earning', 'covered', 'extra-reach']);

/**
 * Whether coverage and targeting rest on a measurement: a word that can earn was measured, or no word is pending.
 * Until then they are 0 only because nothing was read. Measuring the developer's name or the category does not count:
 * they earn nothing.
 */
export function isMeasured(
  listing: Omit<Parameters<typeof createWordKinds>[0], 'terms'>,
  report: Pick<AsoReport, 'fields'>,
): boolean {
  if (!hasPendingWords(report)) return true;
  const kindOf = createWordKinds({ ...listing, terms: new Map() });
  return report.fields
    .flatMap(({ words }) => words)
    .some(
      ({ name, status }) => measured.has(status) || (status === 'not-searched' && kindOf(name) === 'content'),
    );
}

/** Whether a report leaves out words that are not measured yet; its scores change once they are. */
export function hasPendingWords({ fields }: Pick<AsoReport, 'fields'>): boolean {
  return fields.some(({ words }) => words.some(({ status }) => status === 'pending'));
}
