import type { GetTotalsReply, GetTotalsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** What an account tracks at this moment. */
export async function getTotals(
  { trackedApps, trackedKeywords, competitors }: TrackingParts,
  request: GetTotalsRequest,
): Promise<GetTotalsReply> {
  const accountId = checkAccountId(request.account_id);
  const tracked = await trackedByAccount({ trackedApps }, accountId);
  const [appCount, keywordCount, competitorCount] = await Promise.all([
    trackedApps.countActive(accountId),
    trackedKeywords.count(tracked),
    competitors.countActive(tracked),
  ]);
  return { apps: appCount, keywords: keywordCount, competitors: competitorCount };
}
