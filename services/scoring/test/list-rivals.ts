import {
  TermListQuery_Field as Field,
  ListKeywordGapReply,
  ListKeywordGapRequest,
  ListRankedKeywordsReply,
  ListRankedKeywordsRequest,
  type TermListQuery,
} from '@shelfwise/proto/scoring/v1/scoring';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { listKeywordGap } from '../src/handlers/list-keyword-gap.ts';
import { listRankedKeywords } from '../src/handlers/list-ranked-keywords.ts';
import { type Auditing, us } from './start-auditing.ts';
import { throughContract } from './through-contract.ts';

const query: TermListQuery = { order: Field.UNSPECIFIED, descending: false, page: 1, per_page: 1000 };

type GapChanges = Partial<Omit<ListKeywordGapRequest, 'query'>> & { query?: Partial<TermListQuery> };

/** The gap of an app as an account sees it, with the limits of the public API. */
export async function gapOf(
  { clock, ...deps }: Auditing,
  app: TrackedListing,
  { query: narrowed, ...changes }: GapChanges = {},
): Promise<ListKeywordGapReply> {
  const given = {
    account_id: 'ann',
    app,
    competitor_app_ids: ['rival'],
    rival_max_rank: 10,
    own_min_rank: 31,
    include_brands: false,
    ...changes,
    query: { ...query, ...narrowed },
  };
  const request = throughContract(ListKeywordGapRequest, given);
  return throughContract(ListKeywordGapReply, await listKeywordGap({ ...deps, now: clock.now }, request));
}

/** The terms of an app as an account sees them. */
export async function rankedBy(
  { clock, ...deps }: Auditing,
  appId: string,
  { accountId = 'ann', query: narrowed }: { accountId?: string; query?: Partial<TermListQuery> } = {},
): Promise<ListRankedKeywordsReply> {
  const given = {
    account_id: accountId,
    storefront: us,
    app_id: appId,
    query: { ...query, ...narrowed },
  };
  const request = throughContract(ListRankedKeywordsRequest, given);
  const reply = await listRankedKeywords({ ...deps, now: clock.now }, request);
  return throughContract(ListRankedKeywordsReply, reply);
}

/** A page of this many apps with some of them at these ranks. */
export function pageWith(ranks: Readonly<Record<string, number>>, depth = 100): string[] {
  const ids = Array.from({ length: depth }, (_, at) => `other ${at}`);
  for (const [id, rank] of Object.entries(ranks)) ids[rank - 1] = id;
  return ids;
}
