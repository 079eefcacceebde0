import type { AnalyzeNicheReply, AnalyzeNicheRequest } from '@shelfwise/proto/niche/v1/niche';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { RunningAnalyses } from '../analysis/running-analyses.ts';
import { checkNiche } from '../check-niche.ts';
import { saveToHistory } from '../save-to-history.ts';
import type { AnalysisStore } from '../stores/analysis-store.ts';
import type { HistoryStore } from '../stores/history-store.ts';

type Deps = {
  runningAnalyses: Pick<RunningAnalyses, 'join'>;
  analyses: Pick<AnalysisStore, 'findFresh'>;
  history: Pick<HistoryStore, 'save'>;
  now: () => Date;
};

/**
 * Returns the cached analysis of a topic, waits for the one under way, or runs a new one if the call may begin one.
 * Once it runs (`onStarted`), it continues when the caller leaves.
 * @throws ANALYSIS_FAILED when the store or a service did not let it finish
 * @throws SERVICE_UNAVAILABLE as `RunningAnalyses.join`
 */
export async function analyzeNiche(
  { runningAnalyses, analyses, history, now }: Deps,
  request: AnalyzeNicheRequest,
  call: CallContext,
): Promise<AnalyzeNicheReply> {
  const accountId = checkAccountId(request.account_id);
  const niche = checkNiche(request);
  const cached = await analyses.findFresh(niche, now());
  const answer = cached
    ? { analysis: cached, origin: 'CACHED' as const }
    : await runningAnalyses.join(niche, { ...call, accountId }, request.may_begin);
  if (answer === null) return { analysis: null, origin: 'NOT_BEGUN', is_saved: false };
  const { analysis, origin } = answer;
  return { ...(await saveToHistory({ history, now }, accountId, analysis, call)), origin };
}
