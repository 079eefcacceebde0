import type { AsoReport } from './aso-report.ts';
import { createWordKinds } from './word-kind.ts';

/** What only a measured word can be. */
const measured: ReadonlySet<string> = new Set(['earning', 'covered', 'extra-reach']);

/**
 * Whether coverage and targeting rest on something: a word that can earn was measured, or none is left that could be.
 * Until then they are 0 for want of readings. The developer's name and the category earn nothing, so that measuring them
 * tells nothing.
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

/** Whether a report leaves words out because nothing is known of them yet: its scores change with them. */
export function hasPendingWords({ fields }: Pick<AsoReport, 'fields'>): boolean {
  return fields.some(({ words }) => words.some(({ status }) => status === 'pending'));
}
