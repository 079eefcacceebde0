import type {
  GapTerm,
  ListKeywordGapReply,
  ListKeywordGapRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkInteger, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import { brandRoleOf } from '../domain/audit/axes/brand-role.ts';
import type { TermFit } from '../domain/audit/axes/term-fit.ts';
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
  const { fitOfAdded, brandRoleOfAdded } = findGapFits(listing, neighbors, seen.terms, deps.now());
  const named = { app_id: listing.app_id, developer_name: listing.content.developer_name ?? null };
  const rows: GapRow[] = [];
  for (const term of seen.terms) {
    const gap = gapOn(term.page, app, limits);
    if (gap === 'no_rival') counts.noRival += 1;
    else if (gap === 'too_shallow') counts.tooShallow += 1;
    else if (gap !== null) {
      counts.found += 1;
      if (!isListed(term)) continue;
      // A page names a brand also while it is not known whether people search for the term: then it has no fit yet.
      const role = brandRoleOfAdded(term.keyword) ?? brandRoleOf(term.score, named);
      if (role !== 'rival' || request.include_brands) rows.push(new GapRow(term, gap, fitOfAdded));
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

type Worth = { relevance: number | null; gain: number | null; value: number | null };

/** What the term is worth takes longer than all else, and is computed when it is asked for: most rows are not in the answer. */
class GapRow implements ListedTerm {
  readonly term: SeenTerm;
  readonly gap: Gap;
  private readonly fitOf: (keyword: string) => TermFit;
  private known: Worth | undefined;

  constructor(term: SeenTerm, gap: Gap, fitOf: (keyword: string) => TermFit) {
    this.term = term;
    this.gap = gap;
    this.fitOf = fitOf;
  }

  get worth(): Worth {
    this.known ??= worthOf(this.term, this.fitOf(this.term.keyword));
    return this.known;
  }

  get rank(): number | null {
    return this.gap.ownRank;
  }

  get gain(): number | null {
    return this.worth.gain;
  }

  get value(): number | null {
    return this.worth.value;
  }

  /** With all of the gain. */
  get mostValue(): number | null {
    return this.term.kei;
  }
}

function worthOf({ kei }: SeenTerm, fit: TermFit): Worth {
  if (fit.relevance === null) return { relevance: null, gain: null, value: null };
  const gain = round2(fit.gain);
  return { relevance: round2(fit.relevance), gain, value: gapValue(kei, gain) };
}

function toGapTerm({ term, gap, worth }: GapRow): GapTerm {
  const { relevance, gain, value } = worth;
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
