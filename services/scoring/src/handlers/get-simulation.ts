import type { GetSimulationReply, GetSimulationRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import { toAsoReportMessage } from '../audits/to-aso-report-message.ts';
import { toSimulationRun } from '../drafts/to-simulation-run.ts';
import type { SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = { simulationRuns: Pick<SimulationRunStore, 'find'> };

/**
 * One run of the account, with everything that is stored of it.
 * @throws NOT_FOUND, also for a run of another account
 */
export async function getSimulation(
  { simulationRuns }: Deps,
  request: GetSimulationRequest,
): Promise<GetSimulationReply> {
  const accountId = checkAccountId(request.account_id);
  const run = await simulationRuns.find(accountId, checkId('id', request.id));
  if (!run) throw new AppError('NOT_FOUND', 'This account has no simulation run with that id.');
  const { listing, context, delta } = run;
  return {
    run: toSimulationRun(run),
    listing,
    kw_field_known: run.kw_field_known,
    context,
    delta,
    delta_bounds: run.delta_bounds,
    delta_basis: run.delta_basis,
    words_probed: run.words_probed,
    report: run.report && toAsoReportMessage(run.report),
    has_words: run.has_words,
  };
}
