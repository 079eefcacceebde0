import { dayMs } from '@shelfwise/runtime/day';
import { slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';

/** Why a term is measured; a lower number comes first. */
export const importances = {
  /** an account tracks it or waits for it, or the first audit of a listing does */
  tracked: 0,
  /** a word of title, subtitle or keywords field, for which an audit waits, or a term of a visibility basket */
  indexed: 1,
  /** a phrase of these fields */
  phrase: 2,
  /** a word of Google Play's long description */
  described: 3,
} as const;

export type Importance = (typeof importances)[keyof typeof importances];

/** How long suggestions, app details and the result pages of terms that are not needed daily stay fresh. */
export const weekMs = 7 * dayMs;

/** An audit requests its terms for this long; each daily audit renews the request. */
export const auditRequestMs = 3 * dayMs;

/**
 * What decides when the page is read again that accounts see of a public term that they do not track.
 * - `public_until`: until when a public text has the term; absent: none has
 * - `public_page`: since when they see that page, and when it is replaced, if that is not after a week; absent: none was read
 */
export type PublicPlan = {
  public_until?: Date | null;
  public_page?: { shown_at: Date; due_at?: Date } | null;
};

/** When a public page is replaced by one of that day. Nothing that an account does for itself changes it. */
function nextShownAt({ shown_at: since, due_at: dueAt }: { shown_at: Date; due_at?: Date }): Date {
  return dueAt ?? new Date(since.getTime() + weekMs);
}

/** Whether the page of a public term is to be replaced, or there is none. */
export function isPublicPageDue({ public_until: until, public_page: page }: PublicPlan, now: Date): boolean {
  return isAhead(until, now) && !isAhead(page && nextShownAt(page), now);
}

/** Since when a page counts as shown that is stored at a time: the time stays that of the first one unless a day is lost. */
export function shownSince({ public_page: page }: PublicPlan, at: Date): Date {
  const planned = page ? nextShownAt(page) : at;
  return at.getTime() - planned.getTime() < dayMs ? planned : at;
}

/** What determines when a term is measured automatically. */
export type TermPlan = PublicPlan & {
  _id: string;
  /** Until when an audit needs it; absent: no audit does. */
  requested_until?: Date | null;
  /** Until when its result page is needed every day; absent: it is not. */
  daily_until?: Date | null;
};

/**
 * When a completely measured term is measured next. A time in the past means that the term is due.
 * - needed daily: at its time of day (`slotOf`) on the UTC day after its page's day
 * - else requested by an audit: a week after its page was read
 * - of both, public ones: when the public page is due, if that is earlier than the time of day
 * - else null: not scheduled
 *
 * Tracked terms are measured without a schedule, too: whenever tracking publishes a new snapshot.
 */
export function nextMeasuringAt(
  term: TermPlan,
  page: { day: string; read_at: Date },
  now: Date,
): Date | null {
  const isDaily = isAhead(term.daily_until, now);
  if (!isDaily && !isAhead(term.requested_until, now)) return null;
  const shown = isAhead(term.public_until, now) ? term.public_page : null;
  const shownNextAt = shown ? nextShownAt(shown) : null;
  if (!isDaily) return shownNextAt ?? new Date(page.read_at.getTime() + weekMs);
  const slot = nextDailyAt(term, page.day);
  return shownNextAt && shownNextAt < slot ? shownNextAt : slot;
}

/** The time of day of a term on the day after a UTC day. */
export function nextDailyAt({ _id: id }: Pick<TermPlan, '_id'>, day: string): Date {
  return slotOfNextDay(hashOf(id), day);
}

/** Whether a moment is in the future; an absent one is not. */
export function isAhead(moment: Date | null | undefined, now: Date): boolean {
  return moment != null && moment > now;
}

/** FNV-1a (public domain: Fowler, Noll, Vo), 32 bits: spreads the terms over the day. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
