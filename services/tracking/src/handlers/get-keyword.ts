import type { GetKeywordReply, GetKeywordRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { keywordNeverTracked, missingRecord } from '../tracking-errors.ts';

type Deps = {
  keywordMarkets: Pick<KeywordMarketStore, 'findMany'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listingsOf'>;
};

/**
 * A keyword and its storefront, if the account tracks or tracked it for any app.
 * @throws NOT_FOUND
 */
export async function getKeyword(
  { keywordMarkets, trackedKeywords }: Deps,
  request: GetKeywordRequest,
): Promise<GetKeywordReply> {
  const accountId = checkAccountId(request.account_id);
  const keywordId = checkId('keyword_id', request.keyword_id);
  const listingIds = await trackedKeywords.listingsOf(accountId, keywordId);
  if (listingIds.length === 0) throw keywordNeverTracked();
  const [market] = await keywordMarkets.findMany([keywordId]);
  if (!market) throw missingRecord(`keyword market ${keywordId}`);
  const { keyword, store, country, lang } = market;
  return { keyword_id: keywordId, keyword, storefront: { store, country, lang } };
}
