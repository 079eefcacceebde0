import type { Auditor } from '../auditing/auditor.ts';
import { type AxisScores, axisScoresOf } from '../domain/audit/axis-scores.ts';
import type { Readiness } from '../domain/audit/readiness.ts';
import type { Simulation } from './check-simulation.ts';

/** The live listing that a draft is compared with. The scores must not be shown unless `readiness` says so. */
export type Baseline = { scores: AxisScores; readiness: Readiness };

const unread: Readiness = { is_shown: false, is_aim_read: false, has_description: false };

/** Finds the app's stored audit. Audits the app again when terms were pending or have changed since. */
export async function findBaseline(
  { auditor }: { auditor: Pick<Auditor, 'refresh'> },
  app: NonNullable<Simulation['app']>,
  requestId: string,
): Promise<Baseline> {
  const { report, readiness } = await auditor.refresh(app, requestId);
  return { scores: axisScoresOf(report), readiness: readiness ?? unread };
}
