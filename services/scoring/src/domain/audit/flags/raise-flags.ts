import type { Tier } from '@shelfwise/facts/tiers';
import type { Flag } from '@shelfwise/proto/scoring/v1/aso_report';
import type { ReadListing } from '../read-listing.ts';
import { appealFlags } from './appeal-flags.ts';
import { descriptionFlags } from './description-flags.ts';
import { fieldsFlags } from './fields-flags.ts';
import { type Axis, evidenceOf, type FlagRule, type Severity, severities } from './flag-rule.ts';
import { keywordsFieldFlags } from './keywords-field-flags.ts';
import { subtitleFlags } from './subtitle-flags.ts';
import { targetingFlags } from './targeting-flags.ts';
import { titleFlags } from './title-flags.ts';

/** Every finding that an audit can have. (spec: scoring, flags) */
export const flagRules: Readonly<Record<Axis, readonly FlagRule[]>> = {
  coverage: [...titleFlags, ...subtitleFlags, ...keywordsFieldFlags, ...descriptionFlags, ...fieldsFlags],
  targeting: targetingFlags,
  appeal: appealFlags,
};

/** What there is to say about a listing: the worst first, then by axis, then by code. */
export function raiseFlags(listing: ReadListing, tier: Tier): Flag[] {
  const axes = Object.keys(flagRules) as Axis[];
  return axes
    .flatMap((axis) => flagRules[axis].flatMap((rule) => raise(axis, rule, listing, tier)))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || byCode(one, other));
}

function raise(axis: Axis, rule: FlagRule, listing: ReadListing, tier: Tier): Flag[] {
  if (rule.store !== undefined && rule.store !== listing.input.storefront.store) return [];
  if (rule.tiers !== undefined && !rule.tiers.includes(tier)) return [];
  const figures = rule.figures(listing, tier);
  if (figures === null) return [];
  const { code, severity, title, impact, fix } = rule;
  return [{ code, axis, severity, title, impact, fix, evidence: evidenceOf(figures) }];
}

/** Severity first; within it the axes in the order of the report. */
function rankOf({ severity, axis }: Flag): number {
  const axes = Object.keys(flagRules);
  return severities.indexOf(severity as Severity) * axes.length + axes.indexOf(axis);
}

function byCode(one: Flag, other: Flag): number {
  if (one.code === other.code) return 0;
  return one.code < other.code ? -1 : 1;
}
