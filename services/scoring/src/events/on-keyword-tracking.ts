import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordTracked, KeywordUntracked } from '@shelfwise/proto/tracking/v1/events';
import type { Auditor } from '../audits/auditor.ts';
import type { TrackedTermKey, TrackedTermStore } from '../stores/tracked-term-store.ts';

type Deps = {
  auditor: Pick<Auditor, 'onKeywordsChanged'>;
  trackedTerms: Pick<TrackedTermStore, 'track' | 'untrack'>;
};

/**
 * Accounts start and stop tracking keywords for an app. Tracked keywords are the first terms of the app's basket when
 * it is next drawn.
 */
export function createOnKeywordTracking({ auditor, trackedTerms }: Deps) {
  return {
    async onTracked(event: KeywordTracked): Promise<void> {
      if (!event.at) throw new Error('the event does not say when the keyword was tracked');
      await trackedTerms.track(keyOf(event), checkStorefront(event.storefront), event.keyword, event.at);
      await auditor.onKeywordsChanged(event.app_id);
    },

    async onUntracked(event: KeywordUntracked): Promise<void> {
      if (!event.at) throw new Error('the event does not say when the keyword was untracked');
      await trackedTerms.untrack(keyOf(event), event.at);
      await auditor.onKeywordsChanged(event.app_id);
    },
  };
}

function keyOf(event: KeywordTracked | KeywordUntracked): TrackedTermKey {
  return { account_id: event.account_id, listing_id: event.app_id, keyword_id: event.keyword_id };
}
