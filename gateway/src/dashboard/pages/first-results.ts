import { known, knownOr } from '@shelfwise/dashboard/figure';
import type { KeywordModel, Result } from '@shelfwise/dashboard/pages/keyword/model';
import type { z } from 'zod';
import type { getTrackedKeywordScores } from '../../routes/get-tracked-keyword-scores.ts';
import type { listApplications } from '../../routes/list-applications.ts';
import type { TrackedKeyword } from './page-context.ts';

type Own = Pick<z.output<typeof listApplications.data>[number], 'app_id' | 'title' | 'icon' | 'ratings'>;
type Row = Pick<TrackedKeyword, 'ranking' | 'current_rank' | 'rank_date' | 'result_count'>;
/** The first ten results of the page that the scores were computed with. */
type ScoredPage = Pick<z.output<typeof getTrackedKeywordScores.data>, 'apps' | 'rank_date'>;

/** As many results as the scores show. */
const shownResults = 10;

/**
 * The first results on the page of the rank, and the row of the own app where it ranks deeper. Five are kept with the rank; ten are
 * kept with the scores, and are shown if they are of the same page. `resultsMissing` says why there are only five.
 * @param scored null: there are no scores
 */
export function toFirstResults(
  own: Own,
  row: Row,
  scored: ScoredPage | null,
): Pick<KeywordModel, 'results' | 'resultsMissing'> {
  const { ranking, current_rank: rank, result_count: count } = row;
  const isSame = scored !== null && isSamePage(own, row, scored);
  const results: Result[] = (isSame ? scored.apps : ranking).map((app) => ({
    appId: app.app_id,
    rank: known(app.rank),
    title: app.title,
    // Which icons the store has shown is only known of the first five.
    hasIcon: ranking.find(({ app_id: id }) => id === app.app_id)?.icon !== null,
    isOwn: app.app_id === own.app_id,
    ratings: knownOr(app.ratings, 'not_published'),
  }));
  const hasAll = results.length >= Math.min(shownResults, count);
  const resultsMissing = hasAll ? null : scored === null ? 'not_scored' : 'other_page';
  if (rank === null || results.some(({ isOwn }) => isOwn)) return { results, resultsMissing };
  const deeper: Result = {
    appId: own.app_id,
    rank: known(rank),
    title: own.title,
    hasIcon: own.icon !== null,
    isOwn: true,
    ratings: knownOr(own.ratings, 'not_published'),
  };
  return { results: [...results, deeper], resultsMissing };
}

/** Two readings of a day may differ: the apps that both know must have the same ranks. */
function isSamePage(
  own: Own,
  { ranking, current_rank: rank, rank_date: day }: Row,
  page: ScoredPage,
): boolean {
  const ownRank = page.apps.find(({ app_id: id }) => id === own.app_id)?.rank ?? null;
  return (
    page.rank_date === day &&
    ranking.every(({ app_id: id }, index) => page.apps[index]?.app_id === id) &&
    ownRank === (rank !== null && rank <= shownResults ? rank : null)
  );
}
