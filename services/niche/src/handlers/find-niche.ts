import type { FindNicheReply, FindNicheRequest } from '@shelfwise/proto/niche/v1/niche';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import type { Analyses } from '../analysis/analyses.ts';
import { checkNiche } from '../check-niche.ts';
import { giveAnalysis } from '../give-analysis.ts';
import type { AnalysisStore } from '../stores/analysis-store.ts';
import type { NicheRowStore } from '../stores/niche-row-store.ts';

type Parts = {
  running: Pick<Analyses, 'isUnderWay'>;
  analyses: Pick<AnalysisStore, 'findFresh'>;
  nicheRows: Pick<NicheRowStore, 'save'>;
  now: () => Date;
};

/**
 * The kept analysis of a topic, whoever it was made for; none when there is none, or it is too old: then whether one is
 * being made.
 */
export async function findNiche(
  parts: Parts,
  request: FindNicheRequest,
  call: CallContext,
): Promise<FindNicheReply> {
  const accountId = checkAccountId(request.account_id);
  const niche = checkNiche(request);
  const kept = await parts.analyses.findFresh(niche, parts.now());
  if (kept) return { ...(await giveAnalysis(parts, accountId, kept, call)), is_under_way: false };
  return { analysis: null, is_saved: false, is_under_way: await parts.running.isUnderWay(niche) };
}
