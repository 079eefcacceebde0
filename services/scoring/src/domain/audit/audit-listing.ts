import type { Tier } from '@shelfwise/facts/tiers';
import { round2 } from '../curve.ts';
import { isPartial } from '../keyword/is-partial.ts';
import { isSearched } from '../keyword/search-status.ts';
import { scoringVersion } from '../scoring-version.ts';
import type { AimedTerm } from './aimed-terms.ts';
import { appealOf, ratingOf, screenshotTargets } from './appeal.ts';
import type { AppealReport, AsoReport, TargetedTerm, TargetingReport } from './aso-report.ts';
import type { AuditInput } from './audit-input.ts';
import { globalOf } from './axis-scores.ts';
import { coverageOf } from './coverage.ts';
import { fieldEntry } from './field-entry.ts';
import { axes } from './flags/flag-rule.ts';
import { raiseFlags } from './flags/raise-flags.ts';
import { type ReadListing, readListing } from './read-listing.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { isGraded, targetingOf, verdictOf } from './targeting.ts';
import { tierOf } from './tier.ts';
import { unsearchedWords } from './unsearched-words.ts';

/** An audit and whether enough was read for it. Its scores must not be shown unless `readiness` says so. */
export type ListingAudit = { report: AsoReport; readiness: Readiness };

/**
 * Audits a listing or a draft; the report has the word table of every field. Terms whose result pages are not read are
 * dropped from every sum, and no flag is raised that they could disprove. Targeting is 0 when no term is graded.
 */
export function auditListing(input: AuditInput): ListingAudit {
  const { store } = input.storefront;
  const listing = readListing(input);
  const tier = tierOf(store, input.context);
  const scores = {
    coverage: coverageOf(store, listing.fields),
    targeting: targetingOf(tier, listing.aimed) ?? 0,
    appeal: appealOf(store, input.context),
  };
  const report: AsoReport = {
    global: globalOf(scores),
    tier,
    computed_at: input.now,
    axes: axes.map((key) => ({ key, score: scores[key] })),
    fields: listing.fields.map(fieldEntry),
    targeting: targetingReport(listing, tier),
    appeal: appealReport(input),
    flags: raiseFlags(listing, tier),
    scoring_version: scoringVersion,
  };
  return { report, readiness: readinessOf(listing) };
}

function targetingReport(listing: ReadListing, tier: Tier): TargetingReport {
  const searched = listing.aimed.filter(isSearched);
  const unsearched = unsearchedWords(listing);
  return {
    assessable: searched.length > 0,
    keywords: searched
      .toSorted((a, b) => (b.traffic ?? 0) - (a.traffic ?? 0))
      .map((term) => targetedTerm(term, tier)),
    ungraded: searched.filter((term) => !isGraded(term)).length,
    unsearched: unsearched.length,
    unsearched_words: unsearched,
  };
}

function targetedTerm(term: AimedTerm, tier: Tier): TargetedTerm {
  const { name, field, traffic, difficulty, relevance, gain, rank } = term;
  const verdict = difficulty === null ? '' : verdictOf(tier, { difficulty, rank });
  return {
    name,
    field,
    traffic,
    difficulty,
    relevance: relevance && round2(relevance),
    gain: round2(gain),
    verdict,
    is_partial: isPartial(term),
    scored_at: term.scored_at ?? null,
  };
}

function appealReport({ storefront, context }: AuditInput): AppealReport {
  return {
    rating: ratingOf(context),
    screenshots: context.screenshots,
    screenshots_target: screenshotTargets[storefront.store],
    days_since_update: context.days_since_update,
  };
}
