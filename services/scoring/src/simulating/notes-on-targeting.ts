import type { TargetedTerm } from '../domain/audit/aso-report.ts';
import type { AxisDeltas } from '../domain/audit/axis-scores.ts';
import { minRelevantGain } from '../domain/audit/relevance.ts';

/** The longest list of terms in a note. */
const maxNamed = 5;

/**
 * Names the terms behind a loss of targeting when a draft gains coverage: good words can look like a loss. Silent when no
 * term explains it.
 * @param delta null or null values: not compared
 * @param terms of the draft, most traffic first
 */
export function notesOnTargeting(delta: AxisDeltas | null, terms: readonly TargetedTerm[]): string[] {
  const { coverage = null, targeting = null } = delta ?? {};
  if (coverage === null || targeting === null || coverage <= 0 || targeting >= 0) return [];
  const costly = terms.filter(
    ({ verdict, gain = 1 }) => verdict === 'out-of-reach' || gain < minRelevantGain,
  );
  if (costly.length === 0) return [];
  const named = costly.slice(0, maxNamed).map(({ name }) => `“${name}”`);
  const more = costly.length - named.length;
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    `Coverage rises by ${coverage} and targeting falls by ${-targeting}. What lowers targeting are searched words and phrases that are out of reach for the app or hardly its business: ${list}.`,
  ];
}
