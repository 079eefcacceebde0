import { utcDay } from '@shelfwise/runtime/day';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import { isAhead, isPublicPageDue, shownSince } from '../domain/term-schedule.ts';
import { packIds } from './packed-ids.ts';
import { firstIds, type PublicPage, type Ranking, type Term } from './term.ts';

/**
 * The page that accounts see of a public term that they do not track, after a measurement; null: as before. It is replaced once a
 * week, at a time that only it decides (`isPublicPageDue`), by the page of that day, whatever that was read for. All other readings
 * change nothing, so that they show to no account that another one has the term read, apart from
 * - the same page, while its scores are not complete
 * - a page with results, on the day of an empty one, which it disproves
 * @param term before the measurement
 * @param at the time of the measurement: a page of an earlier day was read for another reason
 */
export function publicPageAfter(
  term: Pick<Term, 'public_until' | 'public_page'>,
  { ranking, score }: { ranking: Ranking | null; score: KeywordScore | null },
  at: Date,
): PublicPage | null {
  const { public_until: until, public_page: known } = term;
  if (!ranking || !score || !isAhead(until, at)) return null;
  if (ranking.day === utcDay(at) && isPublicPageDue(term, at))
    return toPublicPage(ranking, score, shownSince(term, at));
  if (known?.day !== ranking.day) return null;
  const isCompleted = known.read_at.getTime() === ranking.read_at.getTime() && !isComplete(known.score);
  const isDisproved = known.first_ids.length === 0 && ranking.app_ids.length > 0;
  return isCompleted || isDisproved ? toPublicPage(ranking, score, known.shown_at) : null;
}

function isComplete({ traffic, difficulty, is_partial: isPartial }: PublicPage['score']): boolean {
  return traffic !== null && difficulty !== null && !isPartial;
}

export function toPublicPage(
  { day, read_at, app_ids: appIds }: Pick<Ranking, 'day' | 'read_at' | 'app_ids'>,
  score: PublicPage['score'],
  shownAt: Date,
): PublicPage {
  const {
    scored_at,
    traffic,
    is_partial,
    difficulty,
    search_status,
    brand,
    suspected_brand,
    results,
    genres,
  } = score;
  const ids = appIds.slice(0, firstIds);
  return {
    day,
    read_at,
    shown_at: shownAt,
    first_ids: ids,
    packed_ids: packIds(ids),
    score: {
      scored_at,
      traffic,
      is_partial,
      difficulty,
      search_status,
      brand,
      suspected_brand,
      results,
      genres,
    },
  };
}
