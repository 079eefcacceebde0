import { round2, roundHalfUp } from '../curve.ts';
import { isRead, isSearched } from '../keyword/search-status.ts';
import { scoringVersion } from '../scoring-version.ts';
import { fieldEntry } from './advice/field-entry.ts';
import { axes } from './advice/flags/flag-rule.ts';
import { raiseFlags } from './advice/flags/raise-flags.ts';
import type { Advice } from './advice/terms-to-add.ts';
import { unsearchedWords } from './advice/unsearched-words.ts';
import type { AppealReport, AsoReport, TargetedTerm, TargetingReport } from './aso-report.ts';
import type { AuditInput } from './audit-input.ts';
import type { AimedTerm } from './axes/aimed-terms.ts';
import { appealOf, ratingOf, screenshotTargets } from './axes/appeal.ts';
import { globalOf } from './axes/axis-scores.ts';
import { coverageOf } from './axes/coverage.ts';
import { waitsForSuggestions, withPartialPending } from './axes/partial-terms.ts';
import { type Readiness, readinessOf } from './axes/readiness.ts';
import { roundedParts } from './axes/relevance.ts';
import { isGraded, type TermAmount } from './axes/targeting.ts';
import { type ReadListing, readListing } from './read-listing.ts';

/** An audit and whether enough was read for it. Its scores must not be shown unless `readiness` says so. */
export type ListingAudit = {
  report: AsoReport;
  readiness: Readiness;
  /** The advice that was made for its flags; null: none was needed, was given or is known. */
  advice: Advice | null;
};

/**
 * Audits a listing or a draft; the report has the word table of every field. Terms whose result pages are not read are
 * dropped from every sum, and no flag is raised that they could disprove. Targeting is 0 when no term is graded.
 */
export function auditListing(given: AuditInput): ListingAudit {
  const input = withPartialPending(given);
  const { store } = input.storefront;
  const listing = readListing(input);
  const { tier } = listing;
  const scores = {
    coverage: coverageOf(store, listing.fields),
    targeting: roundHalfUp(listing.amounts?.score ?? 0),
    appeal: appealOf(store, input.context),
  };
  const { flags, advice } = raiseFlags(listing, tier);
  const report: AsoReport = {
    global: globalOf(scores),
    tier,
    computed_at: input.now,
    axes: axes.map((key) => ({ key, score: scores[key] })),
    fields: listing.fields.map(fieldEntry),
    targeting: targetingReport(listing),
    appeal: appealReport(input),
    flags,
    scoring_version: scoringVersion,
  };
  return { report, readiness: readinessOf(listing), advice };
}

function targetingReport(listing: ReadListing): TargetingReport {
  const { amounts } = listing;
  const searched = listing.aimed.filter(isSearched);
  const unsearched = unsearchedWords(listing);
  return {
    assessable: searched.length > 0,
    reason: searched.length > 0 ? null : notAssessableReason(listing),
    won: round2(amounts?.won ?? 0),
    lost: round2(amounts?.lost ?? 0),
    keywords: searched
      .toSorted((a, b) => (b.traffic ?? 0) - (a.traffic ?? 0))
      .map((term) => targetedTerm(term, amounts?.terms.get(term.name))),
    partial: listing.aimed.filter(waitsForSuggestions).length,
    ungraded: searched.filter((term) => !isGraded(term)).length,
    unsearched: unsearched.length,
    unsearched_words: unsearched,
  };
}

/** Why no searched term is known. */
function notAssessableReason({ aimed }: ReadListing): 'unsearched' | 'unread' | 'partial' {
  if (aimed.some(waitsForSuggestions)) return 'partial';
  return aimed.every(isRead) ? 'unsearched' : 'unread';
}

/** @param amount undefined: the term is not graded */
function targetedTerm(term: AimedTerm, amount: TermAmount | undefined): TargetedTerm {
  const { name, field, traffic, difficulty, relevance, parts, gain, rank } = term;
  return {
    name,
    field,
    traffic,
    difficulty,
    relevance: relevance && round2(relevance),
    relevance_parts: parts && roundedParts(parts),
    rank,
    gain: round2(gain),
    listing_gain: amount ? round2(amount.listingGain) : null,
    credit: amount ? round2(amount.credit) : null,
    won: amount ? round2(amount.won) : null,
    lost: amount ? round2(amount.lost) : null,
    own_brand: amount?.isOwnBrand ?? false,
    same_as: amount?.sameAs ?? null,
    verdict: amount?.verdict ?? '',
    reason: amount?.reason ?? null,
    is_partial: term.is_partial,
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
