import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import { rankInWords } from '../domain/rank-in-words.ts';
import { type ResultPage, rankOf } from '../domain/snapshot.ts';
import {
  hasSnapshot,
  type KeywordMarket,
  type KeywordMarketWithSnapshot,
} from '../stores/keyword-market-store.ts';
import type { ListingName } from '../stores/listing-store.ts';
import type { TrackedAppKey } from '../stores/tracked-app-store.ts';

/** The application that a call tracks keywords for. `maxTracked` is the plan's cap; null when there is none. */
export type Target = {
  app: TrackedAppKey;
  listing: ListingName;
  storefront: Storefront;
  maxTracked: number | null;
};

/** One keyword of a call. Each step completes the accepted attempts or refuses some of them. */
export type Attempt = {
  keyword: string;
  /** Tells the user why the keyword is refused; null while it is accepted. */
  problem: string | null;
  /** Null while no keyword market is known. */
  market: KeywordMarket | null;
  /** The page that this call has read; null while it has read none. */
  page: ResultPage | null;
  /** When the account stopped to track it for the app; null: it never did, or tracks it. */
  removedAt: Date | null;
};

/** An attempt that only needs its row. */
export type ReadyAttempt = Attempt & { market: KeywordMarketWithSnapshot };

export const idOf = ({ market }: ReadyAttempt) => market._id;

export function isReady(attempt: Attempt): attempt is ReadyAttempt {
  return attempt.problem === null && attempt.market !== null && hasSnapshot(attempt.market);
}

export function toResult(attempt: Attempt, listing: ListingName): TrackKeywordResult {
  const { keyword, problem } = attempt;
  if (!isReady(attempt))
    return {
      keyword,
      outcome: { $case: 'error', value: problem ?? 'It could not be tracked. Try again.' },
      first_rank: null,
    };
  const { app_ids: appIds, day } = attempt.market.latest;
  const rank = rankOf(appIds, listing.app_id);
  const depth = appIds.length;
  const success = rankInWords({ title: listing.title ?? listing.app_id, keyword, rank, depth });
  return {
    keyword,
    outcome: { $case: 'success', value: success },
    first_rank: { keyword_id: idOf(attempt), rank, depth, rank_date: day },
  };
}

export const alreadyTracked = 'This keyword is already tracked for this application.';
