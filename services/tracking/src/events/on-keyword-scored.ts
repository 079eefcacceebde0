import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordScored } from '@shelfwise/proto/scoring/v1/events';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';

/**
 * Stores tracking's own copy of a keyword's scores, so that a list calls no other service. The newest scores win; a
 * message that comes twice or late changes nothing, and one of an unknown keyword is ignored.
 */
export function createOnKeywordScored({ keywordMarkets }: { keywordMarkets: KeywordMarketStore }) {
  return async (message: KeywordScored): Promise<void> => {
    if (!message.scored_at) throw new Error('the scores of a keyword do not say when they were made');
    await keywordMarkets.setScores(checkStorefront(message.storefront), message.keyword, {
      difficulty: message.difficulty ?? null,
      traffic: message.traffic ?? null,
      scoring_version: message.scoring_version,
      scored_at: message.scored_at,
    });
  };
}
