import type { Tier } from '@shelfwise/facts/tiers';
import { round2 } from '../../curve.ts';
import type { Flag } from '../aso-report.ts';
import type { ReadListing } from '../read-listing.ts';
import { type TermToAdd, termsToAdd } from '../terms-to-add.ts';
import { appealFlags } from './appeal-flags.ts';
import { descriptionFlags } from './description-flags.ts';
import { fieldsFlags } from './fields-flags.ts';
import { type Axis, axes, type FlagEvidence, type FlagRule, severities } from './flag-rule.ts';
import { keywordsFieldFlags } from './keywords-field-flags.ts';
import { subtitleFlags } from './subtitle-flags.ts';
import { targetingFlags } from './targeting-flags.ts';
import { titleFlags } from './title-flags.ts';

/** The rules of all flags, by the axis that they belong to. (docs/flags.md) */
export const flagRules: Readonly<Record<Axis, readonly FlagRule[]>> = {
  coverage: [...titleFlags, ...subtitleFlags, ...keywordsFieldFlags, ...descriptionFlags, ...fieldsFlags],
  targeting: targetingFlags,
  appeal: appealFlags,
};

/** The flags of a listing, sorted by severity (worst first), then by axis, then by code. */
export function raiseFlags(listing: ReadListing, tier: Tier): Flag[] {
  const { input, fields, fitOf } = listing;
  const words = fields.flatMap((field) => field.words);
  const toAdd = termsToAdd(input, words, { tier, fitOf })?.map(({ relevance, ...term }) => ({
    ...term,
    relevance: relevance && round2(relevance),
  }));
  return axes
    .flatMap((axis) => flagRules[axis].flatMap((rule) => raise(axis, rule, listing, { tier, toAdd })))
    .toSorted((a, b) => sortKeyOf(a) - sortKeyOf(b) || byCode(a, b));
}

function raise(
  axis: Axis,
  rule: FlagRule,
  listing: ReadListing,
  { tier, toAdd }: { tier: Tier; toAdd: readonly TermToAdd[] | undefined },
): Flag[] {
  if (rule.store !== undefined && rule.store !== listing.input.storefront.store) return [];
  if (rule.tiers !== undefined && !rule.tiers.includes(tier)) return [];
  const found = rule.findEvidence(listing, tier);
  if (found === null) return [];
  const { code, severity, title, impact, fix } = rule;
  const evidence = rule.asksForWords && toAdd ? { ...found, words_to_add: toAdd } : found;
  return [{ code, axis, severity, title, impact, fix, evidence: shorten(evidence) }];
}

/** The maximum number of entries of an evidence list. */
const maxEntries = 20;

function shorten(evidence: FlagEvidence): FlagEvidence {
  const entries = Object.entries(evidence).map(([name, value]) => [
    name,
    typeof value === 'object' ? value.slice(0, maxEntries) : value,
  ]);
  return Object.fromEntries(entries);
}

/** By severity, then by axis, in the order of the report. */
function sortKeyOf({ severity, axis }: Flag): number {
  return severities.indexOf(severity) * axes.length + axes.indexOf(axis);
}

function byCode(a: Flag, b: Flag): number {
  if (a.code === b.code) return 0;
  return a.code < b.code ? -1 : 1;
}
