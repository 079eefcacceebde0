import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import type { AppIds } from '../audit/axes/term-page.ts';

/** A result page as an account sees it. */
export type SeenPage = {
  /** in the store's order, from rank 1 */
  app_ids: AppIds;
  /** The UTC day on which the store was read; of a term that the account does not track, the Monday of its week. */
  day: string;
  /** The store shows more apps than these. */
  is_cut: boolean;
};

/**
 * Pages of terms that the account does not track are seen this deep and to the week. A deeper or newer page would show that
 * another account tracks the term.
 */
export const publicDepth = 20;

/** @param size the number of results that the store shows; null: not known for this page */
export function toSeenPage(
  page: { day: string; app_ids: AppIds; size: number | null },
  { isTracked }: { isTracked: boolean },
): SeenPage {
  const ids = isTracked ? page.app_ids : new FirstIds(page.app_ids, publicDepth);
  const size = Math.max(page.app_ids.length, page.size ?? 0);
  return { app_ids: ids, day: isTracked ? page.day : mondayOf(page.day), is_cut: size > ids.length };
}

/** The first of some ids. No text is made for each id: most pages of a list are only searched. */
class FirstIds implements AppIds {
  readonly length: number;
  private readonly ids: AppIds;

  constructor(ids: AppIds, depth: number) {
    this.length = Math.min(ids.length, depth);
    this.ids = ids;
  }

  indexOf(id: string): number {
    const index = this.ids.indexOf(id);
    return index < this.length ? index : -1;
  }

  slice(from: number, to: number): readonly string[] {
    return this.ids.slice(from, Math.min(to, this.length));
  }
}

/** The pages of a list are of few days. */
let last = { day: '', monday: '' };

/** The Monday of the week of a UTC day (YYYY-MM-DD). */
export function mondayOf(day: string): string {
  if (day === last.day) return last.monday;
  const start = startOfDay(day);
  const monday = utcDay(new Date(start.getTime() - ((start.getUTCDay() + 6) % 7) * dayMs));
  last = { day, monday };
  return monday;
}

/**
 * The rank of an app if the page is read deep enough to say that it is `minRank` or worse: its rank there, or null for none
 * among the results. `better`: it ranks better. `unknown`: the page is not read that deep.
 * @param minRank from 1
 */
export function rankFrom(
  minRank: number,
  { app_ids: ids, is_cut: isCut }: Pick<SeenPage, 'app_ids' | 'is_cut'>,
  appId: string,
): number | null | 'better' | 'unknown' {
  const index = ids.indexOf(appId);
  if (index >= 0) return index + 1 >= minRank ? index + 1 : 'better';
  // Of the first 20, none is the app: it ranks 21 or worse, or not at all.
  return !isCut || ids.length >= minRank - 1 ? null : 'unknown';
}
