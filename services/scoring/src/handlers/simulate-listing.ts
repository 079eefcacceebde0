import type { SimulateListingReply, SimulateListingRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { AuditWithFieldDeps } from '../auditing/audit-with-keywords-field.ts';
import type { Auditor } from '../auditing/auditor.ts';
import { findFormRanksOfDraft } from '../auditing/find-form-ranks.ts';
import { toFlagMessage } from '../auditing/to-aso-report-message.ts';
import {
  advisableOf,
  findTrackedOfAccount,
  noTracked,
  type TrackedOfAccountDeps,
} from '../auditing/tracked-terms-of-account.ts';
import { withoutWords } from '../domain/audit/aso-report.ts';
import type { AuditContext, ListingTexts } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { axisDeltas, axisScoresOf } from '../domain/audit/axis-scores.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import { checkSimulation } from '../simulating/check-simulation.ts';
import { draftFingerprint } from '../simulating/draft-fingerprint.ts';
import { fillDraft } from '../simulating/fill-draft.ts';
import { type Baseline, findBaseline } from '../simulating/find-baseline.ts';
import { notesOnTargeting } from '../simulating/notes-on-targeting.ts';
import { notesOnBaseline, notesOnPartial, notesOnPending } from '../simulating/notes-on-unread.ts';
import { type ProbeTermsDeps, probeTerms } from '../simulating/probe-terms.ts';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import type { DeltaBasis, RunContext, RunTexts, SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = ProbeTermsDeps &
  AuditWithFieldDeps & {
    auditor: Pick<Auditor, 'refresh'>;
    trackedTerms: TrackedOfAccountDeps['trackedTerms'];
    keywordsFields: Pick<KeywordsFieldStore, 'find'>;
    simulationRuns: Pick<SimulationRunStore, 'save'>;
  };

/**
 * Scores a draft, compares it with the app's listing, and saves the run. Without an app there is nothing to compare with,
 * and `delta` is null. A draft with too few words read has no scores. The keywords field of the listing is the one that
 * the account keeps; if only the draft has one, it is compared with the listing and an empty field.
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
  const { texts, context, ...draft } = fillDraft(simulation, kept, deps.now());

  const probed = await probeTerms(deps, storefront, listingTerms({ storefront, texts }), call);
  if (probed.isBlank) throw nothingRead();
  const baseline = app && (await findBaseline(deps, app, { kept, drafted: texts.kw_field }, call.requestId));
  const candidates = baseline?.candidates ?? null;
  const tracked = key ? await findTrackedOfAccount(deps, key, storefront.lang) : noTracked;
  const candidateScores = await deps.terms.findAuditTerms(storefront, [
    ...(candidates ?? []),
    ...tracked.parts,
  ]);
  const advisable = baseline && advisableOf(baseline, tracked, candidateScores);
  const live = app && { storefront, appId: app.listing.app_id, content: app.listing };
  const ranksOf = async (keywords: readonly string[]) =>
    live && baseline ? await findFormRanksOfDraft(deps, live, baseline.fixedRanks, keywords) : new Map();
  // Apart, so that those of the draft are the same for every account.
  const formRanks = new Map([
    ...(await ranksOf(tracked.parts)),
    ...(await ranksOf([...probed.scores.keys()])),
  ]);
  const at = deps.now();
  const { genre } = draft;
  const { report, readiness } = auditListing({
    storefront,
    app_id: app?.listing.app_id ?? null,
    texts,
    live_title: app?.listing.title ?? null,
    live_description: app ? textsOf(app.listing).description : null,
    context,
    developer_name: draft.developer_name,
    genre,
    genre_key: app?.listing.genre_key ?? null,
    terms: probed.scores,
    candidates:
      candidates && new Map(candidates.map((keyword) => [keyword, candidateScores.get(keyword) ?? null])),
    sources: advisable?.sources,
    tracked: advisable?.tracked,
    neighbors: baseline?.neighbors ?? null,
    form_ranks: formRanks,
    now: at,
  });
  const scores = axisScoresOf(report);
  const asoHealth = readiness.is_shown ? scores : null;
  const delta = baseline && axisDeltas({ scores, readiness }, baseline.compared);
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
      delta_basis: deltaBasis,
      context: toRunContext(context),
      edited: draft.isEdited,
      words_probed: probed.probedCount,
      report: readiness.is_shown ? withoutWords(report) : null,
    },
    at,
  );
  return {
    listing,
    aso_health: asoHealth,
    delta,
    delta_basis: deltaBasis,
    flags: report.flags.map(toFlagMessage),
    words_probed: probed.probedCount,
    words_fetched: probed.fetchedCount,
    run_id: saved.id,
    is_new: saved.isNew,
    notes: [
      ...draft.notes,
      ...notesOnPending(probed, readiness),
      ...notesOnPartial(probed, readiness, storefront),
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
