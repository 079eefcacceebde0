import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { RelatedTerm as RelatedTermMessage } from '@shelfwise/proto/scoring/v1/scoring';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { type RelatedTerm, relatedCandidates, relatedTerms } from '../domain/keyword/related-keywords.ts';
import type { TermStore } from '../stores/term-store.ts';

const maxRelated = 20;

/**
 * The store's suggestions for a keyword. Empty when they cannot be read, because titles provide related keywords too.
 */
export async function readCompletions(
  { storeFetch }: { storeFetch: Pick<GrpcClient<typeof StoreFetchServiceService>, 'suggestTerms'> },
  storefront: Storefront,
  keyword: string,
  call: CallOptions & { isUserWaiting: boolean },
): Promise<string[]> {
  const request = { storefront, prefix: keyword, for_daily_run: !call.isUserWaiting, is_thorough: false };
  try {
    return (await storeFetch.suggestTerms(request, call)).suggestions?.terms ?? [];
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') return [];
    throw error;
  }
}

/**
 * Keywords related to a given one, from its suggestions and the titles that rank for it: at most 20, highest known
 * traffic first.
 */
export async function chooseRelatedTerms(
  { terms }: { terms: Pick<TermStore, 'findScores'> },
  storefront: Storefront,
  found: { keyword: string; suggestions: readonly string[]; titles: readonly string[] },
): Promise<RelatedTerm[]> {
  const candidates = relatedCandidates({ ...found, lang: storefront.lang });
  const keywords = candidates.flatMap(({ keyword, ownWords }) => [keyword, ...ownWords]);
  const scores = await terms.findScores(storefront, keywords);
  return relatedTerms(candidates, (keyword) => scores.get(keyword) ?? null, maxRelated);
}

export function toRelatedTermMessage({ traffic, difficulty, ...term }: RelatedTerm): RelatedTermMessage {
  return { ...term, traffic_score: traffic, difficulty_score: difficulty };
}
