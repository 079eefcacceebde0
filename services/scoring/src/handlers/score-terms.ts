import { keywordProblem, normalizeKeyword } from '@shelfwise/facts/keyword';
import type { Storefront } from '@shelfwise/facts/storefront';
import type {
  ScoredTerm,
  ScoreTermsReply,
  ScoreTermsRequest,
  TermApp,
  TermOutcome,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkText } from '@shelfwise/runtime/check-request';
import { checkStorefront } from '@shelfwise/runtime/check-storefront';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { mapLimited } from '@shelfwise/runtime/map-limited';
import type { PageApp } from '../domain/keyword/keyword-reading.ts';
import { isSettled } from '../measuring/lacking.ts';
import { limitPatience } from '../measuring/limit-patience.ts';
import type { Measurer } from '../measuring/measurer.ts';
import { isRefusal } from '../measuring/store-turn.ts';
import { type PageTerm, toPageTerm } from '../stores/page-term.ts';
import type { TermStore } from '../stores/term-store.ts';

/** One query; an answer of some 600 KB at most. */
const maxKnown = 400;
/** Up to a dozen store calls each; an answer of some 30 KB. */
const maxMeasured = 20;
/** Store-fetch queues their calls for their turn: more at once would not come back sooner. */
const termsAtOnce = 8;
/** UTF-16 units in which a keyword of 100 characters fits. */
const maxKeywordLength = 200;
const shownApps = 10;

const week = { page: 'week', isAwaited: true } as const;

type Parts = { terms: Pick<TermStore, 'findPages'>; measurer: Measurer; now: () => Date };

/**
 * The scores of many terms, with the first ten apps of their result pages, in the order asked; each stands or fails
 * alone. `known_only` reads no store: what is not known, or too old, has no outcome. Else what is missing is measured until
 * the caller's deadline; a page that the store does not give again is used as it is, with its age.
 */
export async function scoreTerms(
  parts: Parts,
  request: ScoreTermsRequest,
  call: CallContext,
): Promise<ScoreTermsReply> {
  const storefront = checkStorefront(request.storefront);
  const keywords = checkKeywords(request.keywords, request.known_only ? maxKnown : maxMeasured);
  return {
    outcomes: request.known_only
      ? await lookUp(parts, storefront, keywords)
      : await measureAll(parts, storefront, keywords, call),
  };
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
    return term && isSettled(term, week, at) ? scored(keyword, term) : { keyword, outcome: null };
  });
}

async function measureAll(
  { measurer }: Parts,
  storefront: Storefront,
  keywords: readonly string[],
  call: CallContext,
): Promise<TermOutcome[]> {
  const patience = limitPatience(call);
  const patient = { ...call, signal: patience.signal };
  const measure = async (keyword: string): Promise<TermOutcome> => {
    try {
      patience.signal.throwIfAborted();
      const { term } = await measurer.measure(storefront, keyword, week, patient);
      const paged = toPageTerm(term);
      if (!paged) throw new AppError('STORE_FETCH_FAILED', 'Nothing was read of this keyword yet.');
      return scored(keyword, paged);
    } catch (error) {
      // Whoever has gone hears of no outcome.
      call.signal.throwIfAborted();
      return failed(keyword, error);
    }
  };
  try {
    return await mapLimited(keywords, termsAtOnce, measure);
  } finally {
    patience.end();
  }
}

/** @throws whatever is not the store's, or store-fetch's, own failure */
function failed(keyword: string, error: unknown): TermOutcome {
  if (!isRefusal(error)) throw error;
  const { code, message } = error;
  return { keyword, outcome: { $case: 'failure', value: { code, message } } };
}

function scored(keyword: string, { score, reading: { page } }: PageTerm): TermOutcome {
  const { difficulty, traffic, standing, brand, scoring_version } = score;
  const value: ScoredTerm = {
    ...{ difficulty, traffic, standing, is_navigational: brand !== null, scoring_version },
    ...{ read_at: page.read_at, source: page.source },
    top: page.apps.slice(0, shownApps).map(toTermApp),
  };
  return { keyword, outcome: { $case: 'scored', value } };
}

function toTermApp({
  app_id,
  title,
  developer_name,
  genre_key,
  genre,
  ratings,
  updated_at,
}: PageApp): TermApp {
  return { app_id, title, developer_name, genre_key: genre_key ?? null, genre, ratings, updated_at };
}

/** @throws INVALID_PARAMS */
function checkKeywords(keywords: readonly string[], max: number): readonly string[] {
  if (keywords.length < 1 || keywords.length > max)
    throw invalidParams({ keywords: `must be 1 to ${max} keywords` });
  for (const keyword of keywords) {
    checkText('keywords', keyword, 1, maxKeywordLength);
    const problem =
      keyword === normalizeKeyword(keyword) ? keywordProblem(keyword) : 'It is not in its normal form.';
    if (problem !== null) throw invalidParams({ keywords: `hold one that cannot be looked up. ${problem}` });
  }
  if (new Set(keywords).size < keywords.length)
    throw invalidParams({ keywords: 'must name each keyword once' });
  return keywords;
}
