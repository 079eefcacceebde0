import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  TrackKeywordResult,
  TrackKeywordsReply,
  TrackKeywordsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkId } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { judgeKeywords } from '../domain/judge-keywords.ts';
import { rankInWords } from '../domain/rank-in-words.ts';
import { rankOf } from '../domain/snapshot.ts';
import { findOwnListing } from '../find-own-listing.ts';
import { type Attempt, createKeywordAttempts, type KeywordTarget } from '../keyword-attempts.ts';
import type { Listing } from '../stores/listing-store.ts';
import type { TrackingParts } from '../tracking-parts.ts';

const maxKeywords = 20;
/** UTF-16 units of one keyword as sent: far over what its normal form may have. */
const maxSentLength = 1000;

/**
 * Tracks keywords for an app, each together with a snapshot of its market. What keeps one keyword out is that
 * keyword's error; the others stand. Results are in the order sent. A plan without room for any is PLAN_LIMIT.
 */
export async function trackKeywords(
  parts: TrackingParts,
  request: TrackKeywordsRequest,
  call: CallContext,
): Promise<TrackKeywordsReply> {
  const keywords = checkKeywords(request.keywords);
  const target = await findTarget(parts, request);
  const { refuseTracked, refuseWithoutRoom, refuseOverCap, readRanks, save } = createKeywordAttempts(
    parts,
    target,
    call,
  );

  let attempts: Attempt[] = judgeKeywords(keywords).map((judged) => ({ ...judged, market: null }));
  attempts = await refuseTracked(attempts);
  await refuseWithoutRoom(attempts);
  attempts = await refuseOverCap(attempts);
  attempts = await readRanks(attempts);
  call.signal.throwIfAborted();
  attempts = await save(attempts);
  return { results: attempts.map((attempt) => toResult(attempt, target.listing)) };
}

function checkKeywords(keywords: readonly string[]): readonly string[] {
  if (keywords.length < 1 || keywords.length > maxKeywords)
    throw invalidParams({ keywords: `must hold 1 to ${maxKeywords} keywords` });
  if (keywords.some((keyword) => keyword.length > maxSentLength))
    throw invalidParams({ keywords: `must have ${maxSentLength} characters at most each` });
  return keywords;
}

/** @throws APP_NOT_FOUND; INVALID_PARAMS when the storefront is not the app's own */
async function findTarget(parts: TrackingParts, request: TrackKeywordsRequest): Promise<KeywordTarget> {
  const accountId = checkAccountId(request.account_id);
  const listingId = checkId('app_id', request.app_id);
  const storefront = checkStorefront(request.storefront);
  const maxTracked = checkCap('max_keywords', request.max_keywords);
  const app = { account_id: accountId, listing_id: listingId };
  return { app, listing: await findOwnListing(parts, app, storefront), storefront, maxTracked };
}

function toResult({ keyword, problem, market }: Attempt, listing: Listing): TrackKeywordResult {
  if (problem !== null || market === null)
    return { keyword, outcome: { $case: 'error', value: problem ?? 'It could not be tracked. Try again.' } };
  const { app_ids: appIds } = market.latest;
  const place = { rank: rankOf(appIds, listing.app_id), depth: appIds.length };
  return {
    keyword,
    outcome: { $case: 'success', value: rankInWords({ title: listing.title, keyword, ...place }) },
  };
}
