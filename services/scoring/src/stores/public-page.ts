import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import { isAhead, isPublicPageDue, shownSince, weekMs } from '../domain/term-schedule.ts';
import { packIds } from './packed-ids.ts';
import { firstIds, type PublicPage, type Ranking, type Term } from './term.ts';

const maxDays = weekMs / dayMs;

/**
 * The page that accounts see of a public term that they do not track, after a measurement; null: as before. It is replaced once a
 * week, at a time that only it decides (`isPublicPageDue`), by the page of that day, whatever that was read for; sooner if its scores
 * are not complete (`dueSooner`). All other readings change nothing, so that they show to no account that another one has the term
 * read, apart from
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
    return withDue(toPublicPage(ranking, score, shownSince(term, at)), known);
  if (known?.day !== ranking.day) return null;
  const isCompleted = known.read_at.getTime() === ranking.read_at.getTime() && !isComplete(known.score);
  const isDisproved = known.first_ids.length === 0 && ranking.app_ids.length > 0;
  return isCompleted || isDisproved ? withDue(toPublicPage(ranking, score, known.shown_at), known) : null;
}

function withDue(page: PublicPage, known: PublicPage | undefined): PublicPage {
  const dueAt = dueSooner(page, known);
  if (dueAt) page.due_at = dueAt;
  return page;
}

/**
 * When a page whose scores are not complete is replaced: the same page completes them only until it is read again for another
 * reason. On the next UTC day, then after 2, 4 and always 7 days, so that a term costs two more pages however long suggestions cannot
 * be read. Null: after a week.
 * @param known the page before it, or the same one
 */
function dueSooner({ day, shown_at: since, score }: PublicPage, known: PublicPage | undefined): Date | null {
  if (isComplete(score)) return null;
  if (!known || isComplete(known.score)) return daysAfter(day, 1, since);
  if (known.day === day || !known.due_at) return known.due_at ?? null;
  const waited = Math.floor((known.due_at.getTime() - startOfDay(known.day).getTime()) / dayMs);
  return 2 * waited < maxDays ? daysAfter(day, 2 * waited, since) : null;
}

/** At the time of day of another moment. */
function daysAfter(day: string, days: number, moment: Date): Date {
  return new Date(startOfDay(day).getTime() + days * dayMs + (moment.getTime() % dayMs));
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
