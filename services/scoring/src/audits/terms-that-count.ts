import { listingTerms } from '../domain/audit/words/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { ListingReading } from '../domain/listing-reading.ts';
import { importances } from '../domain/term-schedule.ts';
import type { Basket } from '../domain/visibility/basket.ts';
import type { Listing } from '../stores/listing.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';

/**
 * Baskets with only the terms whose result pages an account may see. A basket is drawn for a listing, not for an account
 * (`drawBasket`): first what any account tracks for the listing, then the listing's own terms. A term that only another account
 * tracks must not show, not even in a sum. An account sees
 * - the terms that it tracks for the listing itself,
 * - those of the name, subtitle and description that the store shows, or showed when the basket was drawn (`drawBasket`: own and
 *   described). Their pages are read every day, also when no account tracks them. A change of these texts must not take the past,
 *   and what the app loses by it, out of the shares.
 *
 * The keywords field that an account keeps is no public text. One query.
 *
 * Only those that it tracks (`tracked`) may be named: a word of a public text that people do not search for is in the basket because
 * some account tracks it.
 * @param listing as tracking knows it
 * @param described the terms of its description that fill the basket
 */
export async function keepTermsThatCount(
  { trackedTerms }: { trackedTerms: Pick<TrackedTermStore, 'findOfAccount'> },
  baskets: readonly Basket[],
  {
    accountId,
    listing,
    described,
  }: {
    accountId: string;
    listing: Pick<ListingReading, 'id' | 'storefront' | 'content'>;
    described: Listing['described_terms'];
  },
): Promise<{ baskets: Basket[]; tracked: ReadonlySet<string> }> {
  const keywords = [...new Set(baskets.flatMap(({ terms }) => terms.map(({ keyword }) => keyword)))];
  const tracked = await trackedTerms.findOfAccount(accountId, listing.id, keywords);
  const { storefront } = listing;
  const own = listingTerms({ storefront, texts: textsOf(listing.content) })
    .filter(({ importance }) => importance !== importances.described)
    .map(({ keyword }) => keyword);
  const counting = new Set([...tracked, ...own, ...(described ?? [])]);
  const counted = baskets.map((basket) => ({
    ...basket,
    terms: basket.terms.filter(({ keyword, is_public: isPublic }) => isPublic || counting.has(keyword)),
  }));
  return { baskets: counted, tracked };
}
