import type {
  FindSimulationsReply,
  FindSimulationsRequest,
  FoundSimulation,
  SoughtTexts,
  TextsBefore,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkDay, checkId, checkInteger } from '@shelfwise/runtime/check-request';
import { utcDay } from '@shelfwise/runtime/day';
import { textsFingerprint } from '../drafts/texts-fingerprint.ts';
import type { Prediction, SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = { simulationRuns: Pick<SimulationRunStore, 'findByTitles'> };

const maxTexts = 50;
/** Drafts of the same title differ in their other texts. */
const maxRuns = 500;

/**
 * For each of the texts, the account's latest run of them against the texts before, until a day, whatever its keywords field, which no
 * store shows. A run against another listing, such as the shipped texts themselves, and a later one predicted nothing.
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
  const found = await simulationRuns.findByTitles({ accountId, appId }, titles, maxRuns);
  const runs = found.map(({ _id: id, listing, predictions = {} }) => ({
    id,
    drafted: textsFingerprint(listing),
    predictions,
  }));
  return { found: request.texts.map((texts) => findPrediction(runs, texts)) };
}

/** `drafted`: `textsFingerprint` of the draft. */
type Run = { id: number; drafted: string | null; predictions: Record<string, Prediction> };

function findPrediction(runs: readonly Run[], texts: SoughtTexts): FoundSimulation {
  const [shipped, before] = [fingerprintOf(texts), fingerprintOf(texts.before)];
  if (shipped === null || before === null) return {};
  const [latest] = runs
    .flatMap(({ id, drafted, predictions }) => {
      const prediction = drafted === shipped ? predictions[before] : undefined;
      return prediction && utcDay(prediction.at) <= texts.until ? [{ id, ...prediction }] : [];
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  return latest ? { id: latest.id, delta_global: latest.delta_global } : {};
}

function fingerprintOf(texts: TextsBefore | null): string | null {
  const { title = null, subtitle = null, description = null } = texts ?? {};
  return textsFingerprint({ title, subtitle, description });
}

/** A title that was typed in a draft may be composed in another way than in the store. */
const spellingsOf = (title: string) => [...new Set([title, title.normalize('NFC'), title.normalize('NFD')])];
