import { type Importance, nextMeasuringAt, type TermPlan } from '../domain/term-schedule.ts';
import type { MeasuringRequest, Term } from './term.ts';

/** What decides whether and when a term is measured by itself. */
export type TermSchedule = TermPlan & {
  /** The most important (smallest) one of all requests that are in force. */
  importance: Importance;
  /**
   * When it is measured next; later while it is claimed (the claim lasts until then) and after a failure. Absent: not by
   * itself.
   */
  due_at?: Date;
  /** Measurings that failed since the last one that did not. */
  failures: number;
  /** The claim that it is under; absent: none. */
  claimed_by?: string;
  /** How many requests have asked for it sooner or for longer. */
  request_count: number;
  /** When an account last began to track it. */
  tracked_at?: Date;
  /** Its scores are stored, and not everything that depends on them was notified. */
  has_unpublished_scores: boolean;
};

/** The fields of a term that `updatesForRequests` reads. */
export const scheduleFields: Record<string, 1> = {
  importance: 1,
  requested_until: 1,
  daily_until: 1,
  'reading.page.day': 1,
  'reading.page.read_at': 1,
};

export type TermUpdate = { filter: { _id: string }; update: Record<string, Record<string, unknown>> };

/** Each keyword once: with its most important request, daily when one of them is. */
export function mergeRequests(requests: readonly MeasuringRequest[]): MeasuringRequest[] {
  const merged = new Map<string, MeasuringRequest>();
  for (const { keyword, importance, isDaily } of requests) {
    const other = merged.get(keyword);
    merged.set(keyword, {
      keyword,
      importance: other && other.importance < importance ? other.importance : importance,
      isDaily: isDaily || other?.isDaily === true,
    });
  }
  return [...merged.values()];
}

/**
 * The updates by which known terms are requested until a moment. None for a term that is requested as much already, for
 * three quarters of that time or more: else an audit, which requests its terms every day, would write all of them every day.
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
  return requests.flatMap(({ keyword, importance, isDaily }) => {
    const term = known.get(keyword);
    if (!term) return [];
    const isRequestedAlready = isCovered(term.requested_until) && (!isDaily || isCovered(term.daily_until));
    if (isRequestedAlready && term.importance <= importance) return [];
    const dailyUntil = isDaily ? until : (term.daily_until ?? null);
    const plan = { _id: term._id, requested_until: until, daily_until: dailyUntil };
    // A projection leaves out what holds nothing.
    const page = term.reading?.page;
    const dueAt = (page && nextMeasuringAt(plan, page, at)) ?? at;
    const update = {
      $max: { requested_until: until, ...(isDaily && { daily_until: until }) },
      $min: { importance, due_at: dueAt },
      $inc: { request_count: 1 },
    };
    return [{ filter: { _id: term._id }, update }];
  });
}
