import { type BasketTerm, drawBasket, nextBasket } from '../domain/visibility/basket.ts';
import type { BasketStore, StoredBasket } from '../stores/basket-store.ts';
import type { FollowedListing } from '../stores/listing.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import { basketCandidates } from './basket-candidates.ts';
import { type SaveRanksDeps, saveNewestRanks } from './save-ranks.ts';

/** What a basket is drawn from, and the audit for which it is drawn. */
type BasketInput = {
  listing: FollowedListing;
  /** the newest version; null: none yet */
  basket: StoredBasket | null;
  /** tracked for the listing, the one tracked longest first */
  tracked: readonly string[];
  /** the terms of the listing's name, subtitle and keywords field */
  aimed: readonly string[];
  /** of its description (`chooseDescribedTerms`) */
  described: readonly string[];
  scores: ReadonlyMap<string, PagelessScore>;
  /** the UTC day of the audit */
  day: string;
  /** as `dailyAuditOf` decides */
  isDailyAudit: boolean;
};

export type UpdateBasketDeps = SaveRanksDeps & {
  baskets: Pick<BasketStore, 'findNewest' | 'save'>;
  terms: Pick<TermStore, 'findRankings'>;
};

/**
 * Updates the basket of a listing after an audit and returns its terms. Ranks and pages are normally saved as pages are read
 * (`savePageRanks`). Until the basket is fixed, and once a day, they are also taken from the newest stored result pages. This
 * adds the ranks of new terms, and those that a crash has left out.
 */
export async function updateBasket(deps: UpdateBasketDeps, input: BasketInput): Promise<BasketTerm[]> {
  const terms = await drawAndSave(deps.baskets, input);
  const areRanksComplete = input.basket?.is_fixed === true && !input.isDailyAudit;
  if (!areRanksComplete) await saveNewestRanks(deps, input.listing, terms);
  return terms;
}

/** Returns the terms of the basket that is then stored; none before the first version. */
async function drawAndSave(baskets: UpdateBasketDeps['baskets'], input: BasketInput): Promise<BasketTerm[]> {
  const { listing, basket, scores, day, isDailyAudit } = input;
  const candidates = (keywords: readonly string[]) => basketCandidates(keywords, scores, listing.app_id);
  const drawn = drawBasket({
    tracked: candidates(input.tracked),
    own: candidates(input.aimed),
    described: candidates(input.described),
  });
  const firstDay = listing.followed_since_day;
  const next = nextBasket(basket, drawn, { day, firstDay, isDailyAudit });
  if (!next || next === basket) return basket?.terms ?? [];
  if (await baskets.save(listing, next, basket)) return next.terms;
  // Another audit or `redrawBasket` was faster. This one may be the only daily one, which fixes the basket.
  return drawAndSave(baskets, { ...input, basket: await baskets.findNewest(listing._id) });
}
