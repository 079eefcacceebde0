import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoreTermsReply, ScoreTermsRequest, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { createDeadlineSignal } from '../measuring/deadline-signal.ts';
import type { Measurer } from '../measuring/measurer.ts';
import { isUpToDate } from '../measuring/missing-parts.ts';
import { failedOutcome, scoredOutcome } from '../measuring/term-outcome.ts';
import { toTermWithPage } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';

/** One query; an answer of some 700 KB at most. */
const maxKnown = 400;
/** Up to twenty store calls each; an answer of some 35 KB. */
const maxMeasured = 20;
/** Their calls wait for call slots in store-fetch: more at once would not be done sooner. */
const termsAtOnce = 8;

/**
 * All terms time out before a single one does, whose own calls end a second before the deadline: else the end of one would
 * let the next start.
 */
const headStartMs = 600;

const week = { page: 'week', isUserWaiting: true } as const;

type Deps = { terms: Pick<TermStore, 'findPages'>; measurer: Measurer; now: () => Date };

/**
 * The scores of many terms, with the first ten apps of their result pages, in the order asked; each stands or fails
 * alone. `known_only` reads no store: what is not known, or too old, has no outcome. Else what is missing is measured until
 * the caller's deadline; an old page that cannot be read again is used, and its age answered.
 */
export async function scoreTerms(
  deps: Deps,
  request: ScoreTermsRequest,
  call: CallContext,
): Promise<ScoreTermsReply> {
  const storefront = checkStorefront(request.storefront);
  const keywords = checkKeywords(request.keywords, request.known_only ? maxKnown : maxMeasured);
  const outcomes = request.known_only
    ? await lookUp(deps, storefront, keywords)
    : await measureAll(deps, storefront, keywords, call);
  return { outcomes };
}

async function lookUp(
  { terms, now }: Deps,
  storefront: Storefront,
  keywords: readonly string[],
): Promise<TermOutcome[]> {
  const found = await terms.findPages(storefront, keywords);
  const at = now();
  return keywords.map((keyword) => {
    const term = found.get(keyword);
    const isKnown = term && isUpToDate(term, storefront, week, at);
    return isKnown ? scoredOutcome(keyword, term) : { keyword, outcome: null };
  });
}

async function measureAll(
  { measurer }: Deps,
  storefront: Storefront,
  keywords: readonly string[],
  call: CallContext,
): Promise<TermOutcome[]> {
  const deadline = createDeadlineSignal(call, headStartMs);
  const limited = { ...call, signal: deadline.signal };
  const measure = async (keyword: string): Promise<TermOutcome> => {
    try {
      deadline.signal.throwIfAborted();
      const { term } = await measurer.measure(storefront, keyword, week, limited);
      const found = toTermWithPage(term);
      if (!found) throw new AppError('STORE_FETCH_FAILED', 'Nothing was read of this keyword yet.');
      return scoredOutcome(keyword, found);
    } catch (error) {
      // The caller has gone: no further term is measured.
      call.signal.throwIfAborted();
      return failedOutcome(keyword, error);
    }
  };
  try {
    return await mapLimited(keywords, termsAtOnce, measure);
  } finally {
    deadline.end();
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
