import type { SimulateListingReply, SimulateListingRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { InputWithFieldDeps } from '../audits/audit-with-keywords-field.ts';
import type { Auditor } from '../audits/auditor.ts';
import { toAsoReportMessage, toFlagMessage } from '../audits/to-aso-report-message.ts';
import {
  advisableOf,
  findTrackedOfAccount,
  noTracked,
  type TrackedOfAccountDeps,
} from '../audits/tracked-terms-of-account.ts';
import { withoutWords } from '../domain/audit/aso-report.ts';
import type { AuditContext, ListingTexts } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { axisDeltas, axisScoresOf, deltaBounds } from '../domain/audit/axes/axis-scores.ts';
import { scoreRanges } from '../domain/audit/axes/score-ranges.ts';
import { listingTerms } from '../domain/audit/words/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { checkSimulation } from '../drafts/check-simulation.ts';
import { draftFingerprint } from '../drafts/draft-fingerprint.ts';
import { fillDraft } from '../drafts/fill-draft.ts';
import { type Baseline, findBaseline } from '../drafts/find-baseline.ts';
import { notesOnTargeting } from '../drafts/notes-on-targeting.ts';
import { notesOnBaseline, notesOnPartial, notesOnPending } from '../drafts/notes-on-unread.ts';
import { type ProbeTermsDeps, probeTerms } from '../drafts/probe-terms.ts';
import { textsFingerprint } from '../drafts/texts-fingerprint.ts';
import { toDraftInput } from '../drafts/to-draft-input.ts';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import type { DeltaBasis, RunContext, RunTexts, SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = ProbeTermsDeps &
  InputWithFieldDeps & {
    auditor: Pick<Auditor, 'refresh'>;
    trackedTerms: TrackedOfAccountDeps['trackedTerms'];
    keywordsFields: Pick<KeywordsFieldStore, 'find'>;
    simulationRuns: Pick<SimulationRunStore, 'save'>;
  };

/**
 * Scores a draft, compares it with the app's listing, and saves the run. Without an app there is nothing to compare with, and
 * `delta` is null. A draft with too few words read has no scores. The keywords field of the listing is the one that the account
 * keeps. If only the draft has one, the listing is scored with an empty field.
 * @throws INVALID_PARAMS
 * @throws STORE_FETCH_FAILED when the draft has words and none of them is known
 */
export async function simulateListing(
  deps: Deps,
  request: SimulateListingRequest,
  call: CallContext,
): Promise<SimulateListingReply> {
  const simulation = checkSimulation(request);
  const { app, storefront } = simulation;
  const key = app && { account_id: simulation.account_id, listing_id: app.id };
  const kept = (key && (await deps.keywordsFields.find(key)))?.kw_field ?? null;
  const draft = fillDraft(simulation, kept, deps.now());
  const { texts } = draft;

  const textTerms = listingTerms({ storefront, texts });
  const probed = await probeTerms(deps, storefront, textTerms, call);
  if (probed.isBlank) throw nothingRead();
  const baseline = app && (await findBaseline(deps, app, { kept, drafted: texts.kw_field }, call.requestId));
  const tracked = key ? await findTrackedOfAccount(deps, key, storefront.lang) : noTracked;
  const candidateScores = await deps.terms.findAuditTerms(storefront, [
    ...(baseline?.candidates?.terms ?? []),
    ...tracked.parts,
  ]);
  const advisable = advisableOf(baseline?.candidates ?? null, tracked, candidateScores);
  const at = deps.now();
  const found = { terms: probed.scores, baseline, candidateScores, ...advisable };
  const input = toDraftInput(simulation, draft, found, at);
  const { report, readiness } = auditListing(input);
  const scores = axisScoresOf(report);
  const ranges = app && readiness.has_pending_phrases ? scoreRanges(input) : null;
  const drafted = { scores, readiness, ranges };
  const asoHealth = readiness.is_shown ? scores : null;
  const shown = readiness.is_shown ? report : null;
  const { include_words: includeWords } = request;
  const delta = baseline && axisDeltas(drafted, baseline.compared);
  const bounds = baseline && delta && deltaBounds(delta, drafted, baseline.compared);
  const deltaBasis = baseline?.isComparedWithEmptyField ? emptyFieldBasis(baseline.compared) : null;
  const baselineGlobal = baseline?.own.readiness.is_shown ? baseline.own.scores.global : null;

  const listing = toRunTexts(texts);
  const saved = await deps.simulationRuns.save(
    {
      fingerprint: draftFingerprint(simulation, texts),
      account_id: simulation.account_id,
      app_id: app?.id ?? null,
      ...storefront,
      title: listing.title,
      listing,
      kw_field_known: draft.isKeywordsFieldKnown,
    },
    {
      aso_health: asoHealth,
      baseline_global: baselineGlobal,
      delta,
      delta_bounds: bounds,
      delta_basis: deltaBasis,
      context: toRunContext(draft.context),
      edited: draft.isEdited,
      words_probed: probed.probedCount,
      report: shown && !includeWords ? withoutWords(shown) : shown,
      has_words: shown !== null && includeWords,
      scoring_version: scoringVersion,
    },
    { at, against: draft.isEdited && app ? textsFingerprint(textsOf(app.content)) : null },
  );
  return {
    listing,
    aso_health: asoHealth,
    delta,
    delta_bounds: bounds,
    delta_basis: deltaBasis,
    fields: shown && includeWords ? toAsoReportMessage(shown).fields : [],
    scoring_version: scoringVersion,
    flags: report.flags.map(toFlagMessage),
    words_probed: probed.probedCount,
    words_fetched: probed.fetchedCount,
    run_id: saved.id,
    is_new: saved.isNew,
    notes: [
      ...draft.notes,
      ...notesOnPending(probed, readiness),
      ...notesOnPartial(probed, readiness),
      ...(baseline ? notesOnBaseline(readiness, baseline.compared.readiness) : []),
      ...notesOnTargeting(delta, report.targeting.keywords, baseline?.compared.terms ?? []),
    ],
    stale_since: probed.staleSince,
  };
}

function nothingRead(): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    'No word of the draft could be read from the store in time. Try again in a minute.',
  );
}

function emptyFieldBasis({ scores, readiness }: Baseline['compared']): DeltaBasis {
  return { kw_field: 'empty', aso_health: readiness.is_shown ? scores : null };
}

/** The keywords field is never null in an answer: `kw_field_known` tells an unknown one from an empty one. */
function toRunTexts(texts: ListingTexts): RunTexts {
  return { ...texts, kw_field: texts.kw_field ?? '' };
}

function toRunContext({ installs: _, is_rating_unread: _unread, ...context }: AuditContext): RunContext {
  return context;
}
