import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { ExplainScoresReply, ExplainScoresRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { breakDown } from '../domain/keyword/break-down.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import type { Term } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { Measurer } from '../terms/measurer.ts';

type Deps = { terms: Pick<TermStore, 'find'>; measurer: Measurer };

type ScoredTerm = Term & { score: KeywordScore };

/**
 * How a keyword's stored scores were computed. A keyword with a missing score is measured first; if that fails, the
 * stored scores are explained.
 * @throws STORE_FETCH_FAILED when nothing is stored
 */
export async function explainScores(
  { terms, measurer }: Deps,
  request: ExplainScoresRequest,
  call: CallContext,
): Promise<ExplainScoresReply> {
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword, storefront.lang);
  const stored = await terms.find(storefront, keyword);
  const term = stored && isComplete(stored) ? stored : await measureOr(stored);
  if (!isScored(term))
    throw new AppError('STORE_FETCH_FAILED', 'No data has been read for this keyword yet.');
  const { reading, score } = term;
  return { breakdown: breakDown({ storefront, keyword, reading, score }) };

  async function measureOr(fallback: Term | null): Promise<Term> {
    try {
      const need = { page: 'week', isUserWaiting: true } as const;
      return (await measurer.measure(storefront, keyword, need, call)).term;
    } catch (error) {
      if (fallback && isScored(fallback) && error instanceof AppError) return fallback;
      throw error;
    }
  }
}

function isScored(term: Term): term is ScoredTerm {
  return term.score != null;
}

function isComplete({ score }: Term): boolean {
  return score?.difficulty != null && score.traffic != null;
}
