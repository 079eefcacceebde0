import { withoutInvisible } from '@shelfwise/facts/text/invisible-characters';
import type { ListSimulationsReply, ListSimulationsRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkText } from '@shelfwise/runtime/check-request';
import { previewOf } from '../domain/text/preview.ts';
import { toSimulationRun } from '../drafts/to-simulation-run.ts';
import type { SimulationRunStore } from '../stores/simulation-run-store.ts';

type Deps = { simulationRuns: Pick<SimulationRunStore, 'readPage'> };

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
  // Every title contains an empty text.
  const search = withoutInvisible(checkText('search', request.search ?? '', 0, maxSearchLength)) || null;
  const { rows, total } = await simulationRuns.readPage(request, search);
  return {
    runs: rows.map((row) => ({
      ...toSimulationRun(row),
      title: row.title === null ? null : previewOf(row.title),
    })),
    total,
  };
}
