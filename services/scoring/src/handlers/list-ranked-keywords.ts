import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import { searchVolume } from '@shelfwise/facts/search-volume';
import type { ListRankedKeywordsReply, ListRankedKeywordsRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkText } from '@shelfwise/runtime/check-request';
import { rankOn } from '../domain/audit/axes/term-page.ts';
import { clickShare } from '../domain/visibility/visibility.ts';
import { findSeenTerms, type SeenTermsDeps } from '../rivals/find-seen-terms.ts';
import { checkTermList, createTermFilter, type ListedTerm, pageOfTerms } from '../rivals/term-list.ts';
import { toKeptPages, toKeptTerm } from '../rivals/to-term-message.ts';

const maxAppIdLength = 255;

/**
 * The terms on whose newest kept page an app ranks, the most valuable first: `vol * ctr(rank)` as in visibility (docs/scores.md).
 * What the account sees: `findSeenTerms`, with all that it tracks in the storefront.
 *
 * Cost: three queries; no store call.
 * @throws INVALID_PARAMS
 */
export async function listRankedKeywords(
  deps: SeenTermsDeps,
  request: ListRankedKeywordsRequest,
): Promise<ListRankedKeywordsReply> {
  const owner = { account_id: checkAccountId(request.account_id) };
  const storefront = checkStorefront(request.storefront);
  const appId = checkText('app_id', request.app_id, 1, maxAppIdLength);
  const list = checkTermList(request.query);
  const seen = await findSeenTerms(deps, owner, storefront, { appIds: [appId], where: 'anywhere' });
  const isListed = createTermFilter(list);
  const rows: (ListedTerm & { rank: number })[] = [];
  for (const term of seen.terms) {
    const rank = isListed(term) ? rankOn(term.page, appId) : null;
    if (rank !== null) rows.push({ term, rank, value: visitsOf(term.score.traffic, rank) });
  }
  const terms = pageOfTerms(rows, list).map(({ term, rank }) => ({ term: toKeptTerm(term), rank }));
  return { terms, total: rows.length, kept: toKeptPages(seen) };
}

/** In the unit of `searchVolume`; null: the traffic is unknown. */
function visitsOf(traffic: number | null, rank: number): number | null {
  return traffic === null ? null : searchVolume(traffic) * clickShare(rank);
}
