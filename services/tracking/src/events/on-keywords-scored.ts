import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { KeywordScored } from '@shelfwise/proto/scoring/v1/events';
import { utcDay } from '@shelfwise/runtime/day';
import type { DueKeywordMarketStore } from '../stores/due-keyword-market-store.ts';
import type { KeywordMarketStore, ScoredKeyword } from '../stores/keyword-market-store.ts';

/**
 * Stores a copy of the newest scores of keywords, so that lists call no other service. Repeated and late messages
 * change nothing; scores of an unknown keyword are ignored. A keyword whose snapshot of today is empty becomes due when its
 * scores rest on a page of today with results.
 * @throws Error when `scored_at` is missing
 */
export function createOnKeywordsScored({
  keywordMarkets,
  dueKeywordMarkets,
  wakeSnapshots,
  now,
}: {
  keywordMarkets: Pick<KeywordMarketStore, 'setScores'>;
  dueKeywordMarkets: Pick<DueKeywordMarketStore, 'makeEmptyDue'>;
  /** Called when a keyword became due. */
  wakeSnapshots: () => void;
  now: () => Date;
}) {
  return async (messages: readonly KeywordScored[]): Promise<void> => {
    const scored = messages.map(toScoredKeyword);
    await keywordMarkets.setScores(scored);
    const at = now();
    const today = utcDay(at);
    const withResults = scored.filter((_, index) => messages[index]?.results_on === today);
    if (await dueKeywordMarkets.makeEmptyDue(withResults, today, at)) wakeSnapshots();
  };
}

function toScoredKeyword(message: KeywordScored): ScoredKeyword {
  if (!message.scored_at) throw new Error('scored_at is missing in the scores of a keyword');
  const scores = {
    difficulty: message.difficulty ?? null,
    traffic: message.traffic ?? null,
    scoring_version: message.scoring_version,
    scored_at: message.scored_at,
    is_partial: message.is_partial,
    kei: message.kei ?? null,
    kei_reason: message.kei_reason ?? null,
  };
  return { storefront: checkStorefront(message.storefront), keyword: message.keyword, scores };
}
