import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ScoreTermsReply, ScoreTermsRequest, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { toTermWithPage } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { Measurer } from '../terms/measurer.ts';
import { measuringLimit } from '../terms/measuring-limit.ts';
import { isUpToDate } from '../terms/missing-parts.ts';
import { failedOutcome, scoredOutcome } from '../terms/term-outcome.ts';

/** With `known_only`: one query, and a reply of some 700 KB at most. */
const maxKnown = 400;
/** Up to twenty store calls each; a reply of some 35 KB. */
const maxMeasured = 20;
/** Their calls wait for call slots in store-fetch: more terms at the same time would not finish sooner. */
const termsAtOnce = 8;

/**
 * The request gives up its unfinished terms this much earlier than a single measurement, which ends 0.5 s before the deadline.
 * All store calls end 1 s before it. Otherwise each term whose call ended would make room for another one to start.
 */
const headStartMs = 600;

const weekNeed = { page: 'week', isUserWaiting: true } as const;

type Deps = { terms: Pick<TermStore, 'findPages'>; measurer: Measurer; now: () => Date };

/**
 * Returns the scores of many terms in the order of the request, with the first ten apps of their result pages. Each
 * term succeeds or fails on its own. With `known_only` no store is read, and a term that is unknown or too old (a week)
 * has no outcome. Otherwise missing parts are measured until the caller's deadline; an old page that cannot be read
 * again is used, and the reply states its age.
 * @throws INVALID_PARAMS
 */
export async function scoreTerms(
  deps: Deps,
  request: ScoreTermsRequest,
  call: CallContext,
): Promise<ScoreTermsReply> {
  const storefront = checkStorefront(request.storefront);
  const max = request.known_only ? maxKnown : maxMeasured;
  const keywords = checkKeywords(request.keywords, storefront.lang, max);
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
  const known = await terms.findPages(storefront, keywords);
  const at = now();
  return keywords.map((keyword) => {
    const term = known.get(keyword);
    const isUsable = term && isUpToDate(term, storefront, weekNeed, at);
    return isUsable ? scoredOutcome(keyword, term) : { keyword, outcome: null };
  });
}

function measureAll(
  { measurer }: Deps,
  storefront: Storefront,
  keywords: readonly string[],
  call: CallContext,
): Promise<TermOutcome[]> {
  const measure = async (keyword: string, signal: AbortSignal): Promise<TermOutcome> => {
    try {
      signal.throwIfAborted();
      const { term } = await measurer.measure(storefront, keyword, weekNeed, { ...call, signal });
      const termWithPage = toTermWithPage(term);
      if (!termWithPage)
        throw new AppError('STORE_FETCH_FAILED', 'No data has been read for this keyword yet.');
      return scoredOutcome(keyword, termWithPage);
    } catch (error) {
      // When the caller has gone, no further term is measured.
      call.signal.throwIfAborted();
      return failedOutcome(keyword, error);
    }
  };
  return withDeadline(call, measuringLimit(headStartMs), (signal) =>
    mapLimited(keywords, termsAtOnce, (keyword) => measure(keyword, signal)),
  );
}

/** @throws INVALID_PARAMS for a wrong number of keywords, a keyword that is not in normal form, and a duplicate */
function checkKeywords(keywords: readonly string[], lang: string, max: number): readonly string[] {
  if (keywords.length < 1 || keywords.length > max)
    throw invalidParams({ keywords: `must be 1 to ${max} keywords` });
  for (const keyword of keywords)
    if (checkKeyword(keyword, lang, 'keywords') !== keyword)
      throw invalidParams({ keywords: 'must be in normal form' });
  if (new Set(keywords).size < keywords.length)
    throw invalidParams({ keywords: 'must not contain a keyword twice' });
  return keywords;
}
