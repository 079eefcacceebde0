import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { relatedCandidates, relatedKeywords } from '../domain/keyword/related-keywords.ts';
import type { TermStore } from '../stores/term-store.ts';

const maxRelated = 20;

/** Terms that stand beside a keyword: what the search field completes it to, and what ranking apps are called. */
export function createRelatedTerms(deps: {
  storeFetch: Pick<GrpcClient<typeof StoreFetchServiceService>, 'suggestTerms'>;
  terms: Pick<TermStore, 'findScores'>;
}) {
  const { storeFetch, terms } = deps;
  return {
    /** What the keyword is completed to; empty when the store does not say, for titles say something too. */
    async suggest(storefront: Storefront, keyword: string, call: CallOptions): Promise<string[]> {
      const asked = { storefront, prefix: keyword, for_daily_run: false };
      try {
        return (await storeFetch.suggestTerms(asked, call)).suggestions?.terms ?? [];
      } catch (error) {
        if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') return [];
        throw error;
      }
    },

    /** Best traffic first, as far as it is known, 20 at most. */
    async choose(
      storefront: Storefront,
      found: { keyword: string; suggestions: readonly string[]; titles: readonly string[] },
    ): Promise<string[]> {
      const candidates = relatedCandidates({ ...found, lang: storefront.lang });
      const asked = candidates.flatMap(({ keyword, ownWords }) => [keyword, ...ownWords]);
      const scores = await terms.findScores(storefront, asked);
      return relatedKeywords(candidates, (keyword) => scores.get(keyword) ?? null, maxRelated);
    },
  };
}

export type RelatedTerms = ReturnType<typeof createRelatedTerms>;
