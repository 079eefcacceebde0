import { utcDay } from '@shelfwise/runtime/day';
import type { ResultPage } from '../domain/keyword/keyword-reading.ts';
import type { Ranking } from '../stores/term.ts';

/** For this long store-fetch answers an empty page from its cache. */
const emptyPageMs = 3_600_000;

type MeasuredPage = Pick<ResultPage, 'day' | 'size'>;

/** Whether the page that a term was measured with is empty, and a ranking of the same day has results. */
export function isDisproved(page: MeasuredPage, ranking: Pick<Ranking, 'day' | 'app_ids'>): boolean {
  return page.size === 0 && page.day === ranking.day && ranking.app_ids.length > 0;
}

/**
 * Whether accounts may see a ranking together with the scores of a page: both are of one day, neither is suspect, and the page is not
 * disproved. A snapshot is stored before its page is measured, and stays if that cannot be read.
 */
export function isShowable(page: ResultPage | null, ranking: Ranking | null): boolean {
  if (page === null || ranking === null || page.day !== ranking.day) return false;
  return !isDisproved(page, ranking) && !isSuspect(page, ranking);
}

/** Whether one of them may be wrong until the next day, when the store is read again. */
export function isSuspect(page: ResultPage, ranking: Ranking | null): boolean {
  return page.is_suspect === true || (ranking?.is_suspect === true && ranking.day === page.day);
}

/**
 * Whether an empty page of today must be read again: it is disproved, or a user waits and it is an hour old. The store may have
 * shown it by mistake.
 */
export function mustReadAgain(
  page: ResultPage | null,
  ranking: Ranking | null,
  { isUserWaiting, now }: { isUserWaiting: boolean; now: Date },
): boolean {
  if (page === null || page.size > 0 || page.day !== utcDay(now)) return false;
  if (ranking !== null && isDisproved(page, ranking)) return true;
  return isUserWaiting && now.getTime() - page.read_at.getTime() >= emptyPageMs;
}
