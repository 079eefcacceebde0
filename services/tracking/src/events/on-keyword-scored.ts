import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordScored } from '@shelfwise/proto/scoring/v1/events';
import type { MarketStore } from '../stores/market-store.ts';

/**
 * Keeps tracking's own copy of a market's scores, so that a list needs to ask nobody. The newest wins; one that comes
 * twice or late changes nothing, and one of a market that does not exist is passed over.
 */
export function createOnKeywordScored({ markets }: { markets: MarketStore }) {
  return async (message: KeywordScored): Promise<void> => {
    const { keyword, scored_at: scoredAt } = message;
    if (!scoredAt) throw new Error('the scores of a keyword do not say when they were made');
    const { difficulty = null, traffic = null } = message;
    const scores = { difficulty, traffic, scoring_version: message.scoring_version, scored_at: scoredAt };
    await markets.setScores(checkStorefront(message.storefront), keyword, scores);
  };
}
