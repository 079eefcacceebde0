import type { TargetedTerm } from '../domain/audit/aso-report.ts';
import type { AxisDeltas } from '../domain/audit/axes/axis-scores.ts';
import { lostShare } from '../domain/audit/axes/targeting.ts';
import { nameSome } from './name-some.ts';

/**
 * Names the new terms behind a loss of targeting when a draft gains coverage: good words can look like a loss. Silent when
 * no new term explains it.
 * @param delta null or null values: not compared
 * @param drafted the terms of the draft, most traffic first
 * @param compared those of the listing that it is compared with
 */
export function notesOnTargeting(
  delta: AxisDeltas | null,
  drafted: readonly TargetedTerm[],
  compared: readonly TargetedTerm[],
): string[] {
  const { coverage = null, targeting = null } = delta ?? {};
  if (coverage === null || targeting === null || coverage <= 0 || targeting >= 0) return [];
  const held = new Set(compared.map(({ name }) => name));
  const costly = drafted.filter(
    ({ name, won, lost }) => !held.has(name) && lostShare * (lost ?? 0) > (won ?? 0),
  );
  if (costly.length === 0) return [];
  return [
    `Coverage rises by ${coverage} and targeting falls by ${-targeting}: the draft adds searched words and phrases that are hardly the app’s business (${nameSome(costly.map(({ name }) => name))}).`,
  ];
}
