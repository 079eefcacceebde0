import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordScored } from '@shelfwise/proto/scoring/v1/events';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';

/**
 * Stores a copy of a keyword's newest scores, so that lists call no other service. Repeated and late messages change
 * nothing; scores of an unknown keyword are ignored.
 * @throws Error when `scored_at` is missing
 */
export function createOnKeywordScored({ keywordMarkets }: { keywordMarkets: KeywordMarketStore }) {
  return async (message: KeywordScored): Promise<void> => {
    if (!message.scored_at) throw new Error('scored_at is missing in the scores of a keyword');
    await keywordMarkets.setScores(checkStorefront(message.storefront), message.keyword, {
      difficulty: message.difficulty ?? null,
      traffic: message.traffic ?? null,
      scoring_version: message.scoring_version,
      scored_at: message.scored_at,
      is_partial: message.is_partial,
    });
  };
}
