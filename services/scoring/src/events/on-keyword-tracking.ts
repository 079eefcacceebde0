import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordTracked, KeywordUntracked } from '@shelfwise/proto/tracking/v1/events';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/** Accounts begin and cease to track keywords for an app: the first terms of its basket, when that is next drawn. */
export function createOnKeywordTracking({
  auditor,
  trackedTerms,
}: Pick<AuditingParts, 'auditor' | 'trackedTerms'>) {
  return {
    async onTracked({
      account_id: accountId,
      keyword_id: keywordId,
      keyword,
      storefront,
      app_id: appId,
      at,
    }: KeywordTracked): Promise<void> {
      if (!at) throw new Error('the event does not say when the keyword was tracked');
      const key = { account_id: accountId, listing_id: appId, keyword_id: keywordId };
      await trackedTerms.track(key, checkStorefront(storefront), keyword, at);
      await auditor.onKeywordsChanged(appId);
    },

    async onUntracked({
      account_id: accountId,
      keyword_id: keywordId,
      app_id: appId,
      at,
    }: KeywordUntracked): Promise<void> {
      if (!at) throw new Error('the event does not say when the keyword was untracked');
      await trackedTerms.untrack({ account_id: accountId, listing_id: appId, keyword_id: keywordId }, at);
      await auditor.onKeywordsChanged(appId);
    },
  };
}
