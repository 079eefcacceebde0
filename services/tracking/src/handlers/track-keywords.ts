import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  TrackKeywordResult,
  TrackKeywordsReply,
  TrackKeywordsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkId } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { rankInWords } from '../domain/rank-in-words.ts';
import { rankOf } from '../domain/snapshot.ts';
import { validateKeywords } from '../domain/validate-keywords.ts';
import {
  type Attempt,
  createKeywordAttempts,
  type KeywordAttemptsDeps,
  type KeywordTarget,
} from '../keyword-attempts.ts';
import type { FindTrackedListing } from '../listings/find-tracked-listing.ts';
import type { Listing } from '../stores/listing-store.ts';

const maxKeywords = 20;
/** The limit for a keyword as sent, in UTF-16 units: far above the limit of its normal form. */
const maxSentLength = 1000;

type Deps = KeywordAttemptsDeps & { findTrackedListing: FindTrackedListing };

/**
 * Tracks keywords for an app, each with a snapshot of today. A keyword that cannot be tracked gets its own error and
 * does not affect the others. Results are in the order sent. Each step refuses some attempts; the next step skips them.
 * @throws APP_NOT_FOUND, INVALID_PARAMS; PLAN_LIMIT when the plan has no room for any keyword
 */
export async function trackKeywords(
  deps: Deps,
  request: TrackKeywordsRequest,
  call: CallContext,
): Promise<TrackKeywordsReply> {
  const keywords = checkKeywords(request.keywords);
  const target = await findTarget(deps, request);
  const { refuseTracked, refuseWithoutRoom, refuseOverCap, readRanks, save } = createKeywordAttempts(
    deps,
    target,
    call,
  );

  let attempts: Attempt[] = validateKeywords(keywords).map((validated) => ({ ...validated, market: null }));
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
    throw invalidParams({ keywords: `each must have at most ${maxSentLength} characters` });
  return keywords;
}

/** @throws APP_NOT_FOUND; INVALID_PARAMS when the storefront is not the app's own */
async function findTarget(deps: Deps, request: TrackKeywordsRequest): Promise<KeywordTarget> {
  const accountId = checkAccountId(request.account_id);
  const listingId = checkId('app_id', request.app_id);
  const storefront = checkStorefront(request.storefront);
  const maxTracked = checkCap('max_keywords', request.max_keywords);
  const app = { account_id: accountId, listing_id: listingId };
  return { app, listing: await deps.findTrackedListing(app, storefront), storefront, maxTracked };
}

function toResult({ keyword, problem, market }: Attempt, listing: Listing): TrackKeywordResult {
  if (problem !== null || market === null)
    return { keyword, outcome: { $case: 'error', value: problem ?? 'It could not be tracked. Try again.' } };
  const { app_ids: appIds } = market.latest;
  const rank = rankOf(appIds, listing.app_id);
  const success = rankInWords({ title: listing.title, keyword, rank, depth: appIds.length });
  return { keyword, outcome: { $case: 'success', value: success } };
}
