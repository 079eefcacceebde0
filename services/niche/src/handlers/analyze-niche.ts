import type { AnalyzeNicheReply, AnalyzeNicheRequest } from '@shelfwise/proto/niche/v1/niche';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import type { Analyses } from '../analysis/analyses.ts';
import { checkNiche } from '../check-niche.ts';
import { giveAnalysis } from '../give-analysis.ts';
import type { AnalysisStore } from '../stores/analysis-store.ts';
import type { NicheRowStore } from '../stores/niche-row-store.ts';

type Parts = {
  running: Pick<Analyses, 'join'>;
  analyses: Pick<AnalysisStore, 'findFresh'>;
  nicheRows: Pick<NicheRowStore, 'save'>;
  now: () => Date;
};

/**
 * The kept analysis of a topic, or a new one, which goes on when the caller has gone.
 * @throws ANALYSIS_FAILED when the store did not let it complete; SERVICE_UNAVAILABLE when it takes longer than the
 *   caller waits, when too many wait already, or when the service stops
 */
export async function analyzeNiche(
  parts: Parts,
  request: AnalyzeNicheRequest,
  call: CallContext,
): Promise<AnalyzeNicheReply> {
  const accountId = checkAccountId(request.account_id);
  const niche = checkNiche(request);
  const kept = await parts.analyses.findFresh(niche, parts.now());
  const { analysis, origin } = kept
    ? { analysis: kept, origin: 'KEPT' as const }
    : await parts.running.join(niche, call);
  return { ...(await giveAnalysis(parts, accountId, analysis, call)), origin };
}
