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
      account_id,
      keyword_id,
      keyword,
      storefront,
      app_id,
      at,
    }: KeywordTracked): Promise<void> {
      if (!at) throw new Error('the event does not say when the keyword was tracked');
      const key = { account_id, listing_id: app_id, keyword_id };
      await trackedTerms.track(key, checkStorefront(storefront), keyword, at);
      await auditor.onKeywordsChanged(app_id);
    },

    async onUntracked({ account_id, keyword_id, app_id, at }: KeywordUntracked): Promise<void> {
      if (!at) throw new Error('the event does not say when the keyword was untracked');
      await trackedTerms.untrack({ account_id, listing_id: app_id, keyword_id }, at);
      await auditor.onKeywordsChanged(app_id);
    },
  };
}
