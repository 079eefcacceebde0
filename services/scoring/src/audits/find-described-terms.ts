import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import { textsOf } from '../domain/listing-context.ts';
import { hasThinBasket } from '../domain/visibility/basket.ts';
import { chooseDescribedTerms, describedTerms, maxAskedTerms } from '../domain/visibility/described-terms.ts';
import type { Listing } from '../stores/listing.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import { basketCandidates } from './basket-candidates.ts';

/**
 * The terms of a listing's live description that fill its basket, or must be measured to know it. Null: the basket is full
 * enough without them. Two queries. Tracked terms are used only if they are measured for the listing anyway: a filled basket
 * must not tell what accounts track.
 */
export async function findDescribedTerms(
  { terms }: { terms: Pick<TermStore, 'findScores' | 'findUntrackedScores'> },
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
  const scores = await Promise.all([
    terms.findScores(storefront, described.slice(0, maxAskedTerms)),
    terms.findUntrackedScores(storefront, described.slice(maxAskedTerms)),
  ]);
  const candidates = basketCandidates(described, new Map(scores.flatMap((found) => [...found])), appId);
  const byKeyword = new Map(candidates.map((candidate) => [candidate.keyword, candidate]));
  return chooseDescribedTerms(described, (keyword) => byKeyword.get(keyword) ?? null);
}
