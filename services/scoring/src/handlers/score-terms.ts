import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoreTermsReply, ScoreTermsRequest, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { isSettled } from '../measuring/lacking.ts';
import { limitPatience } from '../measuring/limit-patience.ts';
import type { Measurer } from '../measuring/measurer.ts';
import { failedOutcome, scoredOutcome } from '../measuring/term-outcome.ts';
import { toPageTerm } from '../stores/page-term.ts';
import type { TermStore } from '../stores/term-store.ts';

/** One query; an answer of some 700 KB at most. */
const maxKnown = 400;
/** Up to twenty store calls each; an answer of some 35 KB. */
const maxMeasured = 20;
/** Store-fetch has their calls wait for their turn: more at once would not come back sooner. */
const termsAtOnce = 8;

/**
 * Time is over for all terms before it is for one of them, whose own calls end a second before the deadline: else the end of
 * one would let the next begin.
 */
const headStartMs = 600;

const week = { page: 'week', isAwaited: true } as const;

type Parts = { terms: Pick<TermStore, 'findPages'>; measurer: Measurer; now: () => Date };

/**
 * The scores of many terms, with the first ten apps of their result pages, in the order asked; each stands or fails
 * alone. `known_only` reads no store: what is not known, or too old, has no outcome. Else what is missing is measured until
 * the caller's deadline; an old page that the store does not give anew is used, and its age told.
 */
export async function scoreTerms(
  parts: Parts,
  request: ScoreTermsRequest,
  call: CallContext,
): Promise<ScoreTermsReply> {
  const storefront = checkStorefront(request.storefront);
  const keywords = checkKeywords(request.keywords, request.known_only ? maxKnown : maxMeasured);
  const outcomes = request.known_only
    ? await lookUp(parts, storefront, keywords)
    : await measureAll(parts, storefront, keywords, call);
  return { outcomes };
}

async function lookUp(
  { terms, now }: Parts,
  storefront: Storefront,
  keywords: readonly string[],
): Promise<TermOutcome[]> {
  const found = await terms.findPages(storefront, keywords);
  const at = now();
  return keywords.map((keyword) => {
    const term = found.get(keyword);
    const isKnown = term && isSettled(term, storefront, week, at);
    return isKnown ? scoredOutcome(keyword, term) : { keyword, outcome: null };
  });
}

async function measureAll(
  { measurer }: Parts,
  storefront: Storefront,
  keywords: readonly string[],
  call: CallContext,
): Promise<TermOutcome[]> {
  const patience = limitPatience(call, headStartMs);
  const patient = { ...call, signal: patience.signal };
  const measure = async (keyword: string): Promise<TermOutcome> => {
    try {
      patience.signal.throwIfAborted();
      const { term } = await measurer.measure(storefront, keyword, week, patient);
      const paged = toPageTerm(term);
      if (!paged) throw new AppError('STORE_FETCH_FAILED', 'Nothing was read of this keyword yet.');
      return scoredOutcome(keyword, paged);
    } catch (error) {
      // Nobody is left to hear of outcomes: the rest is not begun.
      call.signal.throwIfAborted();
      return failedOutcome(keyword, error);
    }
  };
  try {
    return await mapLimited(keywords, termsAtOnce, measure);
  } finally {
    patience.end();
  }
}

/** @throws INVALID_PARAMS */
function checkKeywords(keywords: readonly string[], max: number): readonly string[] {
  if (keywords.length < 1 || keywords.length > max)
    throw invalidParams({ keywords: `must be 1 to ${max} keywords` });
  for (const keyword of keywords)
    if (checkKeyword(keyword, 'keywords') !== keyword)
      throw invalidParams({ keywords: 'must stand in their normal forms' });
  if (new Set(keywords).size < keywords.length)
    throw invalidParams({ keywords: 'must stand there once each' });
  return keywords;
}
