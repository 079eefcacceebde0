import type {
  ScoredContext,
  ScoredDraft,
  SimulateListingReply,
  SimulateListingRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { AuditContext, ListingTexts } from '../domain/audit/audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { axisDeltas, axisScoresOf } from '../domain/audit/axis-scores.ts';
import { listingTerms } from '../domain/audit/listing-terms.ts';
import type { FindBaseline } from '../simulating/baseline.ts';
import { checkSimulation } from '../simulating/check-simulation.ts';
import { draftFingerprint } from '../simulating/draft-fingerprint.ts';
import { fillDraft } from '../simulating/fill-draft.ts';
import { notesOnPending } from '../simulating/notes-on-pending.ts';
import type { TermProbe } from '../simulating/term-probe.ts';
import type { SimulationRunStore } from '../stores/simulation-run-store.ts';
import { packReport, reportShape } from '../stores/stored-report.ts';

type Parts = {
  termProbe: TermProbe;
  findBaseline: FindBaseline;
  simulationRuns: SimulationRunStore;
  now: () => Date;
};

/**
 * Scores a draft, compares it with the app's stored score, and keeps the run. @throws STORE_FETCH_FAILED when nothing of
 * its words is known: no score could stand for that
 */
export async function simulateListing(
  { termProbe, findBaseline, simulationRuns, now }: Parts,
  request: SimulateListingRequest,
  call: CallContext,
): Promise<SimulateListingReply> {
  const simulation = checkSimulation(request);
  const { app, storefront } = simulation;
  const { texts, context, ...draft } = fillDraft(simulation, now());

  const probed = await termProbe.probe(storefront, listingTerms({ storefront, texts }), call);
  if (probed.pending > 0 && probed.weighed === 0) throw nothingRead();
  const at = now();
  const { genre } = draft;
  const report = auditListing({
    storefront,
    app_id: app?.listing.app_id ?? null,
    texts,
    context,
    developer_name: draft.developer_name,
    genre,
    terms: probed.scores,
    now: at,
  });
  const asoHealth = axisScoresOf(report);
  const baseline = app && (await findBaseline(app, storefront, call.requestId));
  const isComparable = probed.pending === 0 && baseline?.isWhole === true;
  const delta = baseline && axisDeltas(asoHealth, baseline.scores, isComparable);
  const baselineGlobal = baseline?.isWhole ? baseline.scores.global : null;

  const listing = toScoredDraft(texts);
  const saved = await simulationRuns.save(
    {
      fingerprint: draftFingerprint(simulation, texts),
      account_id: simulation.account_id,
      app_id: app?.id ?? null,
      ...storefront,
      title: texts.title,
      listing,
      kw_field_known: draft.isKeywordsFieldKnown,
    },
    {
      aso_health: asoHealth,
      baseline_global: baselineGlobal,
      delta,
      context: toScoredContext(context),
      edited: draft.isEdited,
      words_probed: probed.weighed,
      report: packReport(withoutWords(report)),
      report_shape: reportShape,
    },
    at,
  );
  return {
    listing,
    aso_health: asoHealth,
    delta,
    flags: report.flags,
    words_probed: probed.weighed,
    words_fetched: probed.fetched,
    run_id: saved.id,
    is_new: saved.isNew,
    notes: [...draft.notes, ...notesOnPending(probed)],
    stale_since: probed.staleSince,
  };
}

function nothingRead(): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    'No word of the draft could be read from the store in time. Try again in a minute.',
  );
}

/** What is not known holds nothing for a reader; `kw_field_known` tells the two apart. */
function toScoredDraft({ title, subtitle, description, kw_field: kwField }: ListingTexts): ScoredDraft {
  return { title, subtitle: subtitle ?? '', description, kw_field: kwField ?? '' };
}

function toScoredContext({ installs, ...context }: AuditContext): ScoredContext {
  return context;
}

/** A saved report is shown without its table of words, which is most of it. */
function withoutWords<Report extends { fields: { words: unknown[] }[] }>(report: Report): Report {
  return { ...report, fields: report.fields.map((field) => ({ ...field, words: [] })) };
}
