import { normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import type {
  FindSimulationsReply,
  FindSimulationsRequest,
  FoundSimulation,
  SoughtTexts,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkDay, checkId, checkInteger } from '@shelfwise/runtime/check-request';
import { utcDay } from '@shelfwise/runtime/day';
import type { FoundRun, SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = { simulationRuns: Pick<SimulationRunStore, 'findByTitles'> };

const maxTexts = 50;
/** Drafts of the same title differ in their other texts. */
const maxRuns = 500;

/**
 * For each of the texts, the account's latest run until a day that has them, whatever its keywords field, which no store shows. A
 * run of the listing as it was then is none, and neither is a later one: they predicted nothing.
 * @throws INVALID_PARAMS
 */
export async function findSimulations(
  { simulationRuns }: Deps,
  request: FindSimulationsRequest,
): Promise<FindSimulationsReply> {
  const accountId = checkAccountId(request.account_id);
  const appId = checkId('app_id', request.app_id);
  checkInteger('texts', request.texts.length, 1, maxTexts);
  for (const { until } of request.texts) checkDay('until', until);
  const titles = request.texts.flatMap(({ title }) => (title == null ? [] : spellingsOf(title)));
  const runs = await simulationRuns.findByTitles({ accountId, appId }, titles, maxRuns);
  return { found: request.texts.map((texts) => toFound(runs.find((run) => isPrediction(run, texts)))) };
}

function isPrediction({ listing, last_run_at: at }: FoundRun, texts: SoughtTexts): boolean {
  return utcDay(at) <= texts.until && isSame(listing, texts);
}

/** A title that was typed in a draft may be composed in another way than in the store. */
const spellingsOf = (title: string) => [...new Set([title, title.normalize('NFC'), title.normalize('NFD')])];

const comparedTexts = ['title', 'subtitle', 'description'] as const;

function isSame(listing: FoundRun['listing'], texts: SoughtTexts): boolean {
  return comparedTexts.every((field) => {
    const [run, sought] = [listing[field], texts[field]];
    return run !== null && sought != null && normalForm(run) === normalForm(sought);
  });
}

const normalForm = (text: string) => normalizeNewlines(text).trim().normalize('NFC');

function toFound(run: FoundRun | undefined): FoundSimulation {
  return run ? { id: run._id, delta_global: run.delta?.global ?? null } : {};
}
