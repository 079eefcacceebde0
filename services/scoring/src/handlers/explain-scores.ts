import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { ExplainScoresReply, ExplainScoresRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { breakDown } from '../domain/keyword/break-down.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import type { Measurer } from '../measuring/measurer.ts';
import type { StoredTerm } from '../stores/stored-term.ts';
import type { TermStore } from '../stores/term-store.ts';

type ScoredTerm = StoredTerm & { score: KeywordScore };

/**
 * How a keyword's scores came about, as they are kept; it is measured first when one of them is missing. What is kept of
 * it is explained when it cannot be. @throws STORE_FETCH_FAILED when nothing is
 */
export async function explainScores(
  { terms, measurer }: { terms: Pick<TermStore, 'find'>; measurer: Measurer },
  request: ExplainScoresRequest,
  call: CallContext,
): Promise<ExplainScoresReply> {
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword);
  const kept = await terms.find(storefront, keyword);
  const term = kept && isComplete(kept) ? kept : await measureOr(kept);
  if (!isScored(term)) throw new AppError('STORE_FETCH_FAILED', 'Nothing was read of this keyword yet.');
  const { reading, score } = term;
  return { breakdown: breakDown({ storefront, keyword, reading, score }) };

  async function measureOr(known: StoredTerm | null): Promise<StoredTerm> {
    try {
      const need = { page: 'week', isAwaited: true } as const;
      return (await measurer.measure(storefront, keyword, need, call)).term;
    } catch (error) {
      if (known && isScored(known) && error instanceof AppError) return known;
      throw error;
    }
  }
}

function isScored(term: StoredTerm): term is ScoredTerm {
  return term.score !== null;
}

function isComplete({ score }: StoredTerm): boolean {
  return score?.difficulty != null && score.traffic != null;
}
