import type { TermScore } from '../domain/audit/audit-input.ts';
import { type BasketTerm, type Candidate, drawBasket, nextBasket } from '../domain/visibility/basket.ts';
import type { BasketStore, StoredBasket } from '../stores/basket-store.ts';
import type { FollowedListing } from '../stores/listing-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';
import { saveNewestRanks } from './save-ranks.ts';

/** What a basket is drawn from. */
type BasketInput = {
  listing: FollowedListing;
  /** the newest version; null: none yet */
  basket: StoredBasket | null;
  /** tracked for the listing, oldest first */
  tracked: readonly string[];
  /** the terms that the listing aims at */
  own: readonly string[];
  scores: ReadonlyMap<string, TermScore>;
  day: string;
  isDailyAudit: boolean;
};

export type UpdateBasketDeps = {
  baskets: Pick<BasketStore, 'findNewest' | 'save'>;
  visibilityDays: Pick<VisibilityDayStore, 'saveRanks'>;
  terms: Pick<TermStore, 'findRankings'>;
};

/**
 * Updates the basket of a listing after an audit and returns its terms. Ranks are normally saved as pages are read
 * (`savePageRanks`). Until the basket is fixed, and once a day, they are also taken from the stored terms: this adds
 * the ranks of terms that are new in the basket, and those that a crash has left out.
 */
export async function updateBasket(deps: UpdateBasketDeps, input: BasketInput): Promise<BasketTerm[]> {
  const terms = await drawAndSave(deps.baskets, input);
  const isComplete = input.basket?.is_fixed === true && !input.isDailyAudit;
  if (!isComplete) await saveNewestRanks(deps, input.listing, terms);
  return terms;
}

async function drawAndSave(baskets: UpdateBasketDeps['baskets'], input: BasketInput): Promise<BasketTerm[]> {
  const { listing, basket, tracked, own, scores, day, isDailyAudit } = input;
  const drawn = drawBasket({ tracked: candidates(tracked, scores), own: candidates(own, scores) });
  const firstDay = listing.followed_since_day;
  const next = nextBasket(basket, drawn, { day, firstDay, isDailyAudit });
  if (!next || next === basket) return basket?.terms ?? [];
  if (await baskets.save(listing, next, basket)) return next.terms;
  return (await baskets.findNewest(listing._id))?.terms ?? [];
}

function candidates(keywords: readonly string[], scores: ReadonlyMap<string, TermScore>): Candidate[] {
  return keywords.flatMap((keyword) => {
    const score = scores.get(keyword);
    return score ? [{ keyword, traffic: score.traffic, searchStatus: score.search_status }] : [];
  });
}
