import type { Auditor } from '../auditing/auditor.ts';
import { type AxisScores, axisScoresOf } from '../domain/audit/axis-scores.ts';
import type { Neighbors } from '../domain/audit/neighbors.ts';
import type { Readiness } from '../domain/audit/readiness.ts';
import type { Simulation } from './check-simulation.ts';

/** The live listing that a draft is compared with. The scores must not be shown unless `readiness` says so. */
export type Baseline = {
  scores: AxisScores;
  readiness: Readiness;
  /** Those of the app's audit, with which its drafts are scored: their own words change nothing. */
  neighbors: Neighbors;
  /** Terms that the listing might add. */
  candidates: readonly string[] | null;
};

const unread: Readiness = { is_shown: false, is_aim_read: false, unread: [], has_description: false };

/** Finds the app's stored audit. Audits the app again when terms were pending or have changed since. */
export async function findBaseline(
  { auditor }: { auditor: Pick<Auditor, 'refresh'> },
  app: NonNullable<Simulation['app']>,
  requestId: string,
): Promise<Baseline> {
  const { report, readiness, neighbors, candidates } = await auditor.refresh(app, requestId);
  return { scores: axisScoresOf(report), readiness: readiness ?? unread, neighbors, candidates };
}
