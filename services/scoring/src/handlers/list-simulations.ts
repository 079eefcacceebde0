import { withoutInvisible } from '@shelfwise/facts/text/invisible-characters';
import type { ListSimulationsReply, ListSimulationsRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkPage, checkText } from '@shelfwise/runtime/check-request';
import { previewOf } from '../domain/text/preview.ts';
import { toSimulationRun } from '../simulating/to-simulation-run.ts';
import type { SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = { simulationRuns: Pick<SimulationRunStore, 'list' | 'count'> };

/** In UTF-16 units, which allows 200 characters of any kind. */
const maxSearchLength = 400;

/**
 * One page of the account's runs, newest first; with `search`, only runs whose title contains it, apart from invisible
 * characters. Long titles are cut.
 */
export async function listSimulations(
  { simulationRuns }: Deps,
  request: ListSimulationsRequest,
): Promise<ListSimulationsReply> {
  const accountId = checkAccountId(request.account_id);
  // Every title contains an empty text.
  const search = withoutInvisible(checkText('search', request.search ?? '', 0, maxSearchLength)) || null;
  const page = checkPage(request);
  const [rows, total] = await Promise.all([
    simulationRuns.list(accountId, search, page),
    simulationRuns.count(accountId, search),
  ]);
  return {
    runs: rows.map((row) => ({
      ...toSimulationRun(row),
      title: row.title === null ? null : previewOf(row.title),
    })),
    total,
  };
}
