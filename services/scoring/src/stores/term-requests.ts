import {
  type Importance,
  importances,
  isPublicPageDue,
  nextMeasuringAt,
  type PublicPlan,
  type TermPlan,
} from '../domain/term-schedule.ts';
import type { MeasuringRequest, Term } from './term.ts';

/** Decides whether and when the daily run measures a term. */
export type TermSchedule = TermPlan & {
  /** The most important (smallest) value of all requests in force. */
  importance: Importance;
  /**
   * When it is measured next. While it is claimed, when the claim expires; after a failure, when it is retried.
   * Absent: the daily run does not measure it.
   */
  due_at?: Date;
  /** Failed measurements since the last one that succeeded. */
  failures: number;
  claimed_by?: string;
  /** How many requests wanted it measured earlier or for longer than before. */
  request_count: number;
  /** When an account last started to track it. */
  tracked_at?: Date;
  /** When the first audit of a listing last began to wait for it. */
  awaited_at?: Date;
  /** Its scores are stored, but not everything that depends on them has been notified. */
  has_unpublished_scores: boolean;
};

/** The fields of a term that `updatesForRequests` reads. */
export const scheduleFields: Record<string, 1> = {
  importance: 1,
  public_until: 1,
  'public_page.shown_at': 1,
  'public_page.due_at': 1,
  requested_until: 1,
  daily_until: 1,
  'reading.page.day': 1,
  'reading.page.read_at': 1,
};

export type TermUpdate = { filter: { _id: string }; update: Record<string, Record<string, unknown>> };

/** Merges the requests of each keyword: the most important one wins, and the result is daily or public when one of them is. */
export function mergeRequests(requests: readonly MeasuringRequest[]): MeasuringRequest[] {
  const merged = new Map<string, MeasuringRequest>();
  for (const { keyword, importance, isDaily, isAwaited = false, isPublic = false } of requests) {
    const earlier = merged.get(keyword);
    merged.set(keyword, {
      keyword,
      importance: earlier && earlier.importance < importance ? earlier.importance : importance,
      isDaily: isDaily || earlier?.isDaily === true,
      isAwaited: isAwaited || earlier?.isAwaited === true,
      isPublic: isPublic || earlier?.isPublic === true,
    });
  }
  return [...merged.values()];
}

/**
 * The updates that request known terms until a given time. A term needs no update when it is already requested for at
 * least three quarters of that time. Otherwise an audit, which requests its terms every day, would write all of them
 * every day.
 */
export function updatesForRequests(input: {
  requests: readonly MeasuringRequest[];
  known: ReadonlyMap<string, Term & TermSchedule>;
  until: Date;
  at: Date;
}): TermUpdate[] {
  const { requests, known, until, at } = input;
  const longEnough = new Date(until.getTime() - (until.getTime() - at.getTime()) / 4);
  const isCovered = (moment: Date | null | undefined) => moment != null && moment >= longEnough;
  return requests.flatMap(({ keyword, isDaily, isPublic = false, ...request }) => {
    const term = known.get(keyword);
    if (!term) return [];
    // A projection omits objects without a selected value.
    const page = term.reading?.page;
    const isAwaited = request.isAwaited === true && !page;
    const importance = isAwaited ? importances.tracked : request.importance;
    const isRequestedAlready = isCovered(term.requested_until) && (!isDaily || isCovered(term.daily_until));
    const isPublicAlready = !isPublic || isCovered(term.public_until);
    if (isRequestedAlready && isPublicAlready && !isAwaited && term.importance <= importance) return [];
    const dailyUntil = isDaily ? until : (term.daily_until ?? null);
    const shown: PublicPlan = {
      public_until: isPublic ? until : (term.public_until ?? null),
      public_page: term.public_page ?? null,
    };
    const plan = { _id: term._id, requested_until: until, daily_until: dailyUntil, ...shown };
    // A term whose page was never read is due now, and so is one whose page was read for another reason.
    const dueAt = (page && !isPublicPageDue(shown, at) && nextMeasuringAt(plan, page, at)) || at;
    const $max: Partial<TermPlan & Pick<Term, 'public_until'> & Pick<TermSchedule, 'awaited_at'>> = {
      requested_until: until,
    };
    if (isDaily) $max.daily_until = until;
    if (isPublic) $max.public_until = until;
    if (isAwaited) $max.awaited_at = at;
    const update = { $max, $min: { importance, due_at: dueAt }, $inc: { request_count: 1 } };
    return [{ filter: { _id: term._id }, update }];
  });
}
