import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { GetKeywordScoresReply, GetKeywordScoresRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkWindow } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import { breakDown } from '../domain/keyword/break-down.ts';
import type { ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { ScoreDayStore } from '../stores/score-day-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import { chooseRelatedTerms, toRelatedTermMessage } from '../terms/related-terms.ts';

type Deps = { terms: Pick<TermStore, 'find' | 'findScores'>; scoreDays: Pick<ScoreDayStore, 'listBetween'> };

/**
 * How a keyword's stored scores were computed, and its scores of each day of a window on which it was measured. On
 * request, related keywords: those of the titles of its kept result page. Reads no store.
 * @throws NOT_FOUND when the keyword was never measured
 */
export async function getKeywordScores(
  { terms, scoreDays }: Deps,
  request: GetKeywordScoresRequest,
): Promise<GetKeywordScoresReply> {
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword, storefront.lang);
  const { from, to } = checkWindow(request.from, request.to);
  const term = await terms.find(storefront, keyword);
  if (!term?.score)
    throw new AppError(
      'NOT_FOUND',
      'Nothing is known about this keyword yet. Scores follow within a minute after it is tracked or inspected.',
    );
  const { reading, score } = term;
  const findRelated = async ({ apps }: Pick<ResultPage, 'apps'>) => {
    const titles = apps.map(({ title }) => title).filter((title) => title !== null);
    const related = await chooseRelatedTerms({ terms }, storefront, { keyword, suggestions: [], titles });
    return { terms: related.map(toRelatedTermMessage) };
  };
  const [days, related] = await Promise.all([
    scoreDays.listBetween(term._id, from, to),
    request.with_related && reading.page ? findRelated(reading.page) : null,
  ]);
  return {
    breakdown: breakDown({ storefront, keyword, reading, score }),
    history: days.map(({ day, ...scores }) => ({ date: day, ...scores })),
    related,
  };
}
