import { type Figure, known, knownOr, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Axis, Run, RunRow, SimulatorModel, Term } from '@shelfwise/dashboard/pages/simulator/model';
import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { z } from 'zod';
import { getSimulation } from '../../routes/get-simulation.ts';
import { listApplications } from '../../routes/list-applications.ts';
import { listSimulations } from '../../routes/list-simulations.ts';
import { maxPageRows } from '../../routes/route/paged-list.ts';
import type { Draft } from '../drafts.ts';
import { compareWords, type WordSource } from './compare-words.ts';
import { getLiveListing } from './live-listing.ts';
import { appNotFound, dataOf, dataOr, type PageContext, toAppHead, toFrame } from './page-context.ts';
import { toFlag, wordScore } from './report-parts.ts';

type Simulation = z.output<typeof getSimulation.data>;
type HistoryRow = z.output<typeof listSimulations.data>[number];
type TargetedTerm = NonNullable<Simulation['report']>['targeting']['keywords'][number];

const axisKeys = ['global', 'coverage', 'targeting', 'appeal'] as const;

/**
 * Three calls: the apps, the live listing with its audit, and the saved runs of the account (the last 200). One more for each of
 * the two runs that are looked at.
 * @param wanted the ids of the run that is shown and of the one that it is compared with
 */
export async function buildSimulator(
  context: PageContext,
  {
    appId,
    wanted,
    findDraft,
  }: { appId: string; wanted: { run: unknown; other: unknown }; findDraft: () => Promise<Draft | null> },
): Promise<PageData> {
  const findRun = (id: unknown) =>
    typeof id === 'string' ? context.call(getSimulation, { params: { id } }) : null;
  const [applications, live, history, run, other] = await Promise.all([
    context.call(listApplications),
    context.call(getLiveListing, { params: { id: appId } }),
    context.call(listSimulations, { query: { per_page: String(maxPageRows) } }),
    findRun(wanted.run),
    findRun(wanted.other),
  ]);
  // Last: what was typed just before a reload is on its way.
  const draft = await findDraft();
  const apps = dataOf(applications);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const { texts = null, audit = null } = dataOr(live, null) ?? {};
  const liveTexts = texts ?? {
    title: app.title,
    subtitle: null,
    description: app.description,
    kw_field: null,
  };
  const liveWords = audit && { scoringVersion: audit.scoring_version, fields: audit.report.fields };
  const shown = run && ofApp(dataOf(run), app.id);
  const compared = other && ofApp(dataOf(other), app.id);
  return {
    page: 'simulator',
    frame: toFrame(context, apps, { appId }),
    model: {
      app: toAppHead(app),
      fields: listingFields[app.store].map(({ key, label, limit }) => ({
        key,
        label,
        limit: known(limit),
        live: liveTexts[key],
      })),
      draft: draft && { texts: draft.texts, keptAt: draft.keptAt.toISOString() },
      runs:
        dataOr(history, null)
          ?.filter(({ app_id: id }) => id === app.id)
          .map(toRow) ?? null,
      hasMoreRuns: 'meta' in history && history.meta.has_more,
      run: shown && toRun(shown, liveWords),
      comparison: shown && compared && toComparison(shown, compared, liveWords),
    },
  };
}

/** @throws for a run of another app */
function ofApp(run: Simulation, appId: number): Simulation {
  if (run.app_id !== appId) throw appNotFound();
  return run;
}

function toComparison(
  shown: Simulation,
  other: Simulation,
  live: WordSource | null,
): SimulatorModel['comparison'] {
  return { other: toRun(other, live), words: compareWords(wordsOf(other), wordsOf(shown)) };
}

function wordsOf({ scoring_version: scoringVersion, report }: Simulation): WordSource {
  return { scoringVersion, fields: report?.fields ?? null };
}

function toRun(run: Simulation, live: WordSource | null): Run {
  return {
    id: String(run.id),
    at: run.last_run_at,
    scoringVersion: String(run.scoring_version),
    axes: axisKeys.map((key) => toAxis(key, run)),
    isAgainstEmptyField: run.delta_basis !== null,
    texts: { ...run.listing, kw_field: run.kw_field_known ? run.listing.kw_field : null },
    words: compareWords(live, wordsOf(run)),
    terms: (run.report?.targeting.keywords ?? []).map(toTerm),
    flags: (run.report?.flags ?? []).map(toFlag),
  };
}

function toAxis(key: Axis['key'], { aso_health: scores, delta, delta_bounds: bounds }: Simulation): Axis {
  const range = key === 'appeal' ? null : bounds?.[key];
  const change = knownOr(delta?.[key] ?? null, 'not_compared');
  const [score, by] = [scores?.[key] ?? null, delta?.[key] ?? null];
  const withoutRange = change.state === 'known' ? 'nothing_pending' : 'words_not_read';
  return {
    key,
    score: knownOr(score, 'not_read'),
    before: score === null || by === null ? unknown('not_compared') : known(score - by),
    change,
    bounds: range ? { min: known(range.min), max: known(range.max) } : withoutRange,
  };
}

function toTerm({
  name,
  field,
  verdict,
  reason,
  traffic,
  difficulty,
  is_partial: isPartial,
  ...term
}: TargetedTerm): Term {
  return {
    name,
    field: field as Term['field'],
    verdict,
    reason,
    traffic: wordScore(traffic, isPartial),
    difficulty: wordScore(difficulty),
    won: known(term.won),
    lost: known(term.lost),
    sameAs: term.same_as,
  };
}

function toRow(row: HistoryRow): RunRow {
  const score: Figure = row.aso_health === null ? unknown('not_read') : known(row.aso_health.global);
  return {
    id: String(row.id),
    at: row.last_run_at,
    title: row.title,
    isEdited: row.edited,
    runs: known(row.runs_count),
    score,
    change: knownOr(row.delta_global, 'not_compared'),
    scoringVersion: String(row.scoring_version),
  };
}
