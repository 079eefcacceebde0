import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import { languageAliases } from '@shelfwise/facts/stores/language-alias';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { GetKeywordScoresReply, GetKeywordScoresRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkWindow } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import { breakDown } from '../domain/keyword/break-down.ts';
import type { ScoreDayStore } from '../stores/score-day-store.ts';
import type { Term } from '../stores/term.ts';
import type { TermStore } from '../stores/term-store.ts';

type Deps = { terms: Pick<TermStore, 'find'>; scoreDays: Pick<ScoreDayStore, 'listBetween'> };

/**
 * How a keyword's stored scores were computed, and its scores of each day of a window on which it was measured. Reads no
 * store.
 * @throws NOT_FOUND when the keyword was never measured
 */
export async function getKeywordScores(
  { terms, scoreDays }: Deps,
  request: GetKeywordScoresRequest,
): Promise<GetKeywordScoresReply> {
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword, storefront.lang);
  const { from, to } = checkWindow(request.from, request.to);
  const term = await findUnderAliases(terms, storefront, keyword);
  if (!term?.score)
    throw new AppError(
      'NOT_FOUND',
      'Nothing is known about this keyword yet. Scores follow within a minute after it is tracked or inspected.',
    );
  const { store, country, lang, reading, score } = term;
  const days = await scoreDays.listBetween(term._id, from, to);
  return {
    breakdown: breakDown({ storefront: { store, country, lang }, keyword, reading, score }),
    history: days.map(({ day, ...scores }) => ({ date: day, ...scores })),
  };
}

/** The term of the given tag of the language, or else of another one under which it was stored. One query, or two. */
async function findUnderAliases(
  terms: Deps['terms'],
  storefront: Storefront,
  keyword: string,
): Promise<Term | null> {
  const term = await terms.find(storefront, keyword);
  if (term?.score) return term;
  const others = languageAliases(storefront).filter((lang) => lang !== storefront.lang);
  const found = await Promise.all(others.map((lang) => terms.find({ ...storefront, lang }, keyword)));
  return found.find((other) => other?.score) ?? null;
}
