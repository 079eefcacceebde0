import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import { textsOf } from '../domain/listing-context.ts';
import { hasThinBasket } from '../domain/visibility/basket.ts';
import { chooseDescribedTerms, describedTerms } from '../domain/visibility/described-terms.ts';
import type { Listing } from '../stores/listing.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import { basketCandidates } from './basket-candidates.ts';

/** Terms are used however long ago they were public and read. */
const ever = new Date(0);

/**
 * The terms of a listing's live description that fill its basket, or must be measured to know it. Null: the basket is full
 * enough without them. One query. What is known of a term is what its public page tells: a filled basket must not tell what
 * accounts track, inspect, draft or keep.
 */
export async function findDescribedTerms(
  { terms }: { terms: Pick<TermStore, 'findKnownScores'> },
  listing: Listing,
  known: {
    tracked: readonly string[];
    aimed: readonly string[];
    /** of both */
    scores: ReadonlyMap<string, PagelessScore>;
  },
): Promise<string[] | null> {
  const { app_id: appId } = listing;
  const tracked = basketCandidates(known.tracked, known.scores, appId);
  const own = basketCandidates(known.aimed, known.scores, appId);
  if (!hasThinBasket({ tracked, own })) return null;
  const storefront = storefrontOf(listing);
  const { description } = textsOf(listing.content);
  const described = describedTerms({ storefront, description }, [...tracked, ...own]);
  const { open } = await terms.findKnownScores(storefront, described, ever);
  const candidates = basketCandidates(described, open, appId);
  const byKeyword = new Map(candidates.map((candidate) => [candidate.keyword, candidate]));
  return chooseDescribedTerms(described, (keyword) => byKeyword.get(keyword) ?? null);
}
