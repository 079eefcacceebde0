import type { FindNicheReply, FindNicheRequest } from '@shelfwise/proto/niche/v1/niche';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { RunningAnalyses } from '../analysis/running-analyses.ts';
import { checkNiche } from '../check-niche.ts';
import { saveToHistory } from '../save-to-history.ts';
import type { AnalysisStore } from '../stores/analysis-store.ts';
import type { HistoryStore } from '../stores/history-store.ts';

type Deps = {
  runningAnalyses: Pick<RunningAnalyses, 'isUnderWay'>;
  analyses: Pick<AnalysisStore, 'findFresh'>;
  history: Pick<HistoryStore, 'save'>;
  now: () => Date;
};

/**
 * Returns the cached analysis of a topic, whichever account requested it; if there is none, whether one is under way.
 */
export async function findNiche(
  { runningAnalyses, analyses, history, now }: Deps,
  request: FindNicheRequest,
  call: CallContext,
): Promise<FindNicheReply> {
  const accountId = checkAccountId(request.account_id);
  const niche = checkNiche(request);
  const cached = await analyses.findFresh(niche, now());
  if (cached)
    return { ...(await saveToHistory({ history, now }, accountId, cached, call)), is_under_way: false };
  return { analysis: null, is_saved: false, is_under_way: await runningAnalyses.isUnderWay(niche) };
}
