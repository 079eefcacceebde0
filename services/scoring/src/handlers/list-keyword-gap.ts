import type {
  GapTerm,
  ListKeywordGapReply,
  ListKeywordGapRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkInteger, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import { brandRoleOf } from '../domain/audit/axes/brand-role.ts';
import { round2 } from '../domain/curve.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';
import { type Gap, gapOn, gapValue } from '../domain/rivals/keyword-gap.ts';
import { findGapFits } from '../rivals/find-gap-fits.ts';
import { findSeenTerms, type SeenTermsDeps } from '../rivals/find-seen-terms.ts';
import type { SeenTerm } from '../rivals/seen-term.ts';
import { checkTermList, createTermFilter, type ListedTerm, pageOfTerms } from '../rivals/term-list.ts';
import { toKeptPages, toKeptTerm } from '../rivals/to-term-message.ts';
import type { AuditStore } from '../stores/audit-store.ts';
import { firstIds } from '../stores/term.ts';

const maxRivals = 5;
const maxAppIdLength = 255;
const deepestRank = 100;

type Deps = SeenTermsDeps & { audits: Pick<AuditStore, 'findNeighbors'> };

type GapRow = ListedTerm & { gap: Gap; relevance: number | null };

/**
 * The terms on whose newest kept page a competitor ranks at `rival_max_rank` or better, and the app at `own_min_rank` or worse or
 * not at all, the most valuable first (`gapValue`). What the account sees: `findSeenTerms`, with the terms that it tracks for this
 * app. Brands of other developers are left out as in the audit (`brandRoleOf`) unless they are wanted. A relevance that is not
 * known, because too little is read to say whether people search for the term, is no value.
 *
 * Cost: four queries; no store call.
 * @throws INVALID_PARAMS
 */
export async function listKeywordGap(
  { audits, ...deps }: Deps,
  request: ListKeywordGapRequest,
): Promise<ListKeywordGapReply> {
  const accountId = checkAccountId(request.account_id);
  const listing = readTrackedListing(request.app);
  const rivalIds = checkRivals(request.competitor_app_ids, listing.app_id);
  const limits = {
    rivalMaxRank: checkInteger('rival_max_rank', request.rival_max_rank, 1, firstIds),
    ownMinRank: checkInteger('own_min_rank', request.own_min_rank, 1, deepestRank),
  };
  const list = checkTermList(request.query);
  if (rivalIds.length === 0) {
    const kept = { pages: 0, unread: 0, truncated: false };
    return { terms: [], total: 0, kept, reason: 'no_competitors' };
  }
  const owner = { account_id: accountId, listing_id: listing.id };
  const [seen, neighbors] = await Promise.all([
    findSeenTerms(deps, owner, listing.storefront, { appIds: rivalIds, where: 'first' }),
    audits.findNeighbors(listing.id),
  ]);
  const app = { appId: listing.app_id, rivalIds };
  const counts = { found: 0, tooShallow: 0, noRival: 0 };
  const isListed = createTermFilter(list);
  const fitOf = findGapFits(listing, neighbors, seen.terms, deps.now());
  const named = { app_id: listing.app_id, developer_name: listing.content.developer_name ?? null };
  const rows: GapRow[] = [];
  for (const term of seen.terms) {
    const gap = gapOn(term.page, app, limits);
    if (gap === 'no_rival') counts.noRival += 1;
    else if (gap === 'too_shallow') counts.tooShallow += 1;
    else if (gap !== null) {
      counts.found += 1;
      if (!isListed(term)) continue;
      const fit = fitOf(term.keyword);
      // A page names a brand also while it is not known whether people search for the term: then it has no fit yet.
      const role = fit.brandRole ?? brandRoleOf(term.score, named);
      if (role !== 'rival' || request.include_brands) rows.push(toRow(term, gap, fit));
    }
  }
  return {
    terms: pageOfTerms(rows, list).map(toGapTerm),
    total: rows.length,
    kept: toKeptPages(seen, counts.tooShallow),
    reason: rows.length > 0 ? undefined : reasonOf(counts, seen.terms.length),
  };
}

function checkRivals(appIds: readonly string[], ownId: string): readonly string[] {
  if (appIds.length > maxRivals) throw invalidParams({ competitor_app_ids: `must be at most ${maxRivals}` });
  if (new Set([ownId, ...appIds]).size <= appIds.length)
    throw invalidParams({ competitor_app_ids: 'must name each competitor once, and not the app' });
  return appIds.map((id) => checkText('competitor_app_ids', id, 1, maxAppIdLength));
}

function toRow(term: SeenTerm, gap: Gap, fit: { relevance: number | null; gain: number }): GapRow {
  const gain = fit.relevance === null ? null : round2(fit.gain);
  return {
    term,
    gap,
    rank: gap.ownRank,
    relevance: fit.relevance === null ? null : round2(fit.relevance),
    gain,
    value: gapValue(term.kei, gain),
  };
}

function toGapTerm({ term, gap, relevance, gain, value }: GapRow): GapTerm {
  return { term: toKeptTerm(term), own_rank: gap.ownRank, rivals: gap.rivals, relevance, gain, value };
}

/** The first thing that is missing for a gap. */
function reasonOf(
  { found, tooShallow, noRival }: { found: number; tooShallow: number; noRival: number },
  pages: number,
): string {
  if (found > 0) return 'filtered';
  if (noRival === pages) return 'no_pages';
  return tooShallow > 0 ? 'too_shallow' : 'no_gap';
}
