import type { GetTotalsReply, GetTotalsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';

/** What an account tracks at this moment. Competitors cannot be tracked yet, so there are none. */
export async function getTotals(
  { trackedApps, trackedKeywords }: TrackingParts,
  request: GetTotalsRequest,
): Promise<GetTotalsReply> {
  const account_id = checkAccountId(request.account_id);
  const [apps, keywords] = await Promise.all([
    trackedApps.countActive(account_id),
    trackedByAccount({ trackedApps }, account_id).then(trackedKeywords.count),
  ]);
  return { apps, keywords, competitors: 0 };
}
