import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordScored } from '@shelfwise/proto/scoring/v1/events';
import type { KeywordMarketStore, ScoredKeyword } from '../stores/keyword-market-store.ts';

/**
 * Stores a copy of the newest scores of keywords, so that lists call no other service. Repeated and late messages
 * change nothing; scores of an unknown keyword are ignored.
 * @throws Error when `scored_at` is missing
 */
export function createOnKeywordsScored({
  keywordMarkets,
}: {
  keywordMarkets: Pick<KeywordMarketStore, 'setScores'>;
}) {
  return (messages: readonly KeywordScored[]): Promise<void> =>
    keywordMarkets.setScores(messages.map(toScoredKeyword));
}

function toScoredKeyword(message: KeywordScored): ScoredKeyword {
  if (!message.scored_at) throw new Error('scored_at is missing in the scores of a keyword');
  const scores = {
    difficulty: message.difficulty ?? null,
    traffic: message.traffic ?? null,
    scoring_version: message.scoring_version,
    scored_at: message.scored_at,
    is_partial: message.is_partial,
  };
  return { storefront: checkStorefront(message.storefront), keyword: message.keyword, scores };
}
