import type { FindNicheReply, FindNicheRequest } from '@shelfwise/proto/niche/v1/niche';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { checkNiche } from '../check-niche.ts';
import { giveAnalysis } from '../give-analysis.ts';
import type { AnalysisStore } from '../stores/analysis-store.ts';
import type { NicheRowStore } from '../stores/niche-row-store.ts';

type Parts = {
  analyses: Pick<AnalysisStore, 'findFresh'>;
  nicheRows: Pick<NicheRowStore, 'save'>;
  now: () => Date;
};

/** The kept analysis of a topic, whoever it was made for; none when there is none, or it is too old. */
export async function findNiche(
  parts: Parts,
  request: FindNicheRequest,
  call: CallContext,
): Promise<FindNicheReply> {
  const accountId = checkAccountId(request.account_id);
  const kept = await parts.analyses.findFresh(checkNiche(request), parts.now());
  return kept ? giveAnalysis(parts, accountId, kept, call) : { analysis: null, is_saved: false };
}
