import type { GetTotalsReply, GetTotalsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

type Deps = {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  competitors: CompetitorStore;
};

/** What an account tracks now. */
export async function getTotals(
  { trackedApps, trackedKeywords, competitors }: Deps,
  request: GetTotalsRequest,
): Promise<GetTotalsReply> {
  const accountId = checkAccountId(request.account_id);
  const { count: appCount, tracked } = await trackedApps.countAndSelect(accountId);
  const [keywordCount, competitorCount] = await Promise.all([
    trackedKeywords.count(tracked),
    competitors.countActive(tracked),
  ]);
  return { apps: appCount, keywords: keywordCount, competitors: competitorCount };
}
