import type { GetKeywordReply, GetKeywordRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { keywordNeverTracked, missingRecord } from '../tracking-errors.ts';

type Deps = {
  keywordMarkets: Pick<KeywordMarketStore, 'findMany'>;
  trackedApps: Pick<TrackedAppStore, 'selectTracked'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listApps'>;
};

/**
 * A keyword and its storefront, if the account tracks (`is_tracked`) or tracked it for any app.
 * @throws NOT_FOUND
 */
export async function getKeyword(
  { keywordMarkets, trackedApps, trackedKeywords }: Deps,
  request: GetKeywordRequest,
): Promise<GetKeywordReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  // Before the rows: if they were older, they could be those of a removal that is no longer pending.
  const { listing_id: shown } = await trackedApps.selectTracked(accountId);
  const apps = await trackedKeywords.listApps(accountId, keywordId);
  if (apps.length === 0) throw keywordNeverTracked();
  const [market] = await keywordMarkets.findMany([keywordId]);
  if (!market) throw missingRecord(`keyword market ${keywordId}`);
  const { keyword, store, country, lang } = market;
  const isTracked = apps.some(({ listing_id: id, active }) => active && !shown?.$nin.includes(id));
  return { keyword_id: keywordId, keyword, storefront: { store, country, lang }, is_tracked: isTracked };
}
