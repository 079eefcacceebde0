import { findInputWithField, type InputWithFieldDeps } from '../audits/audit-with-keywords-field.ts';
import type { Auditor } from '../audits/auditor.ts';
import type { Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { TargetedTerm } from '../domain/audit/aso-report.ts';
import type { AuditInput } from '../domain/audit/audit-input.ts';
import { auditListing, type ListingAudit } from '../domain/audit/audit-listing.ts';
import { axisScoresOf, type ComparedAudit } from '../domain/audit/axes/axis-scores.ts';
import type { Neighbors } from '../domain/audit/axes/neighbors.ts';
import { scoreRanges } from '../domain/audit/axes/score-ranges.ts';
import type { ListingReading } from '../domain/listing-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';

/** Scores of the live listing and its graded terms. They must not be shown unless `readiness` says so. */
type ListingScores = ComparedAudit & { terms: readonly TargetedTerm[] };

export type Baseline = {
  /** The app's own scores: with the keywords field that the account keeps, if it does. */
  own: ListingScores;
  /**
   * What the draft is compared with: `own`, or the listing with an empty keywords field when only the draft has one. A field
   * that is unknown on one side would make the two coverage scores means of different fields.
   */
  compared: ListingScores;
  isComparedWithEmptyField: boolean;
  /** Those of the app's audit, with which its drafts are scored: their own words change nothing. */
  neighbors: Neighbors;
  /** As the neighbors: by form, the app's best rank. */
  form_ranks: ReadonlyMap<string, number>;
  /** null: not chosen yet */
  candidates: Candidates | null;
};

/**
 * Finds the app's stored audit, and scores the listing with a keywords field where that is needed. An audit whose terms were
 * pending or have changed is made again.
 * @param fields `kept`: by the account; `drafted`: of the draft as it is scored. Null: unknown, or on Google Play
 */
export async function findBaseline(
  { auditor, ...deps }: InputWithFieldDeps & { auditor: Pick<Auditor, 'refresh'> },
  listing: ListingReading,
  { kept, drafted }: { kept: string | null; drafted: string | null },
  requestId: string,
): Promise<Baseline> {
  const stored = await auditor.refresh(listing, requestId);
  const { report, readiness, neighbors, form_ranks, candidates } = stored;
  const scoreWith = async (kwField: string | null) =>
    scoreListing(await findInputWithField(deps, stored, listing, kwField));
  // Another copy may have stored an audit of another version, with which nothing is compared.
  const isCurrent = stored.scoring_version === scoringVersion;
  const own =
    kept === null && isCurrent && !readiness.has_pending_phrases
      ? toListingScores({ report, readiness }, null)
      : await scoreWith(kept);
  const isComparedWithEmptyField = kept === null && drafted !== null;
  const compared = isComparedWithEmptyField ? await scoreWith('') : own;
  return {
    own,
    compared,
    isComparedWithEmptyField,
    neighbors,
    form_ranks,
    candidates,
  };
}

/** @param input with an app and its neighbors */
function scoreListing(input: AuditInput): ListingScores {
  // Its flags are not shown, so no advice is made for them.
  const audit = auditListing({ ...input, advice: {} });
  return toListingScores(audit, audit.readiness.has_pending_phrases ? scoreRanges(input) : null);
}

function toListingScores(
  { report, readiness }: Pick<ListingAudit, 'report' | 'readiness'>,
  ranges: ListingScores['ranges'],
): ListingScores {
  return { scores: axisScoresOf(report), terms: report.targeting.keywords, readiness, ranges };
}
