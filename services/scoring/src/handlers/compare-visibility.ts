import type {
  ComparedListing,
  CompareVisibilityReply,
  CompareVisibilityRequest,
  ListingVisibility,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkId, checkText } from '@shelfwise/runtime/check-request';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { readNewestPages } from '../audits/read-newest-pages.ts';
import { compareVisibility as visibilities } from '../domain/visibility/compare-visibility.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { TermStore } from '../stores/term-store.ts';

const maxListings = 1000;
const maxCompetitors = 1000;
const maxAppIdLength = 255;
/** Each comparison reads up to 50 rankings, some 100 KB: more at the same time would only delay other replies. */
const listingsAtOnce = 4;

type Deps = {
  baskets: Pick<BasketStore, 'findNewest' | 'findInForce'>;
  terms: Pick<TermStore, 'findRankings'>;
};

/**
 * How visible listings and their competitors are, 0 to 100 each. A listing and its competitors are compared over the same
 * terms, weights and result pages, of the newest day with a page of the basket. Without a basket of at least five terms or a
 * page there are no scores. Each listing costs some 15 ms of work; no further one starts once the caller has gone.
 * @throws INVALID_PARAMS
 */
export async function compareVisibility(
  deps: Deps,
  request: CompareVisibilityRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<CompareVisibilityReply> {
  checkListings(request.listings);
  const compare = async (listing: ComparedListing): Promise<ListingVisibility> => {
    signal.throwIfAborted();
    const { id, competitor_app_ids: appIds } = listing;
    const pages = await readNewestPages(deps, id);
    if (!pages) return { id, competitors: appIds.map((appId) => ({ app_id: appId })) };
    const [score, ...competitorScores] = visibilities(pages.terms, [pages.app_id, ...appIds]);
    const competitors = appIds.map((appId, index) => ({ app_id: appId, score: competitorScores[index] }));
    return { id, score, competitors, day: pages.day };
  };
  return { listings: await mapLimited(request.listings, listingsAtOnce, compare) };
}

function checkListings(listings: readonly ComparedListing[]): void {
  if (listings.length > maxListings)
    throw invalidParams({ listings: `must name at most ${maxListings} applications` });
  const ids = new Set(listings.map(({ id }) => checkId('listings.id', id)));
  if (ids.size < listings.length) throw invalidParams({ listings: 'must name each application once' });
  const competitors = listings.flatMap((listing) => listing.competitor_app_ids);
  if (competitors.length > maxCompetitors)
    throw invalidParams({ listings: `must name at most ${maxCompetitors} competitors in total` });
  for (const appId of competitors) checkText('listings.competitor_app_ids', appId, 1, maxAppIdLength);
}
