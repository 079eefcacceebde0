import type { Tier } from '@shelfwise/facts/tiers';
import type { Flag } from '../../aso-report.ts';
import type { TermsToAdd } from '../../audit-input.ts';
import type { ReadListing } from '../../read-listing.ts';
import { type Advice, termsToAdd } from '../terms-to-add.ts';
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

/** A flag before it is written: its rule applies. */
type Raised = { axis: Axis; rule: FlagRule; found: FlagEvidence };

/**
 * The flags of a listing, sorted by severity (worst first), then by axis, then by code; and the advice that was made for them.
 * Null: none was needed, was given or is known.
 */
export function raiseFlags(listing: ReadListing, tier: Tier): { flags: Flag[]; advice: Advice | null } {
  const raised = axes.flatMap((axis) => flagRules[axis].flatMap((rule) => raise(axis, rule, listing, tier)));
  const { advice: given } = listing.input;
  const isAsked = raised.some(({ rule }) => rule.asksForWords);
  const advice = isAsked && !given ? termsToAdd(listing) : null;
  const terms = given ?? advice?.terms ?? {};
  const flags = raised
    .map((one) => toFlag(one, terms))
    .toSorted((a, b) => sortKeyOf(a) - sortKeyOf(b) || byCode(a, b));
  return { flags, advice };
}

/** Whether a flag asks for words to add. */
export function asksForWords(flags: readonly Flag[]): boolean {
  return flags.some((flag) => advisedFieldOf(flag) !== undefined);
}

/** The same flags with other advice, for the listing that they were raised for. */
export function withAdvice(flags: readonly Flag[], terms: TermsToAdd): Flag[] {
  return flags.map((flag) => {
    const field = advisedFieldOf(flag);
    const advised = field && terms[field];
    return advised ? { ...flag, evidence: { ...flag.evidence, words_to_add: advised } } : flag;
  });
}

function advisedFieldOf({ code }: Flag): FlagRule['asksForWords'] {
  return Object.values(flagRules)
    .flat()
    .find((rule) => rule.code === code)?.asksForWords;
}

function raise(axis: Axis, rule: FlagRule, listing: ReadListing, tier: Tier): Raised[] {
  if (rule.store !== undefined && rule.store !== listing.input.storefront.store) return [];
  if (rule.tiers !== undefined && !rule.tiers.includes(tier)) return [];
  const found = rule.findEvidence(listing, tier);
  return found === null ? [] : [{ axis, rule, found }];
}

function toFlag({ axis, rule, found }: Raised, terms: TermsToAdd): Flag {
  const { code, severity, title, impact, fix, asksForWords } = rule;
  const advised = asksForWords && terms[asksForWords];
  const evidence = shorten(advised ? { ...found, words_to_add: advised } : found);
  return { code, axis, severity, title, impact, fix, evidence };
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
