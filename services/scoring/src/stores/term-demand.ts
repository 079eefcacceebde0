import type { Importance } from '../domain/importance.ts';
import { nextMeasuring, type TermPlan } from '../domain/next-measuring.ts';
import type { StoredTerm, WantedTerm } from './stored-term.ts';

/** What decides whether and when a term is measured by itself. */
export type Demand = TermPlan & {
  /** The highest (least number) that was asked for while somebody wants it. */
  importance: Importance;
  /**
   * When it is to be measured next; put off while somebody measures it (for as long as his claim lasts) and after a
   * failure. Absent: not by itself.
   */
  due_at?: Date;
  /** Measurings that failed since the last one that did not. */
  failures: number;
  /** Which claim it is under; absent when nobody measures it. */
  claimed_by?: string;
  /** How often somebody has said that he wants it, sooner or for longer. */
  asks: number;
  /** When an account last began to track it. */
  tracked_at?: Date;
  /** Its scores are kept and not everybody was told of them. */
  is_untold: boolean;
};

/** The fields of a term from which `wantedUpdates` sees what is to be changed. */
export const demandOf: Record<string, 1> = {
  importance: 1,
  wanted_until: 1,
  daily_until: 1,
  'reading.page.day': 1,
  'reading.page.read_at': 1,
};

export type WantedUpdate = { filter: { _id: string }; update: Record<string, Record<string, unknown>> };

/** Each keyword once: the most important of its wants, daily when one of them is. */
export function mergeWanted(wanted: readonly WantedTerm[]): WantedTerm[] {
  const merged = new Map<string, WantedTerm>();
  for (const term of wanted) {
    const other = merged.get(term.keyword);
    merged.set(term.keyword, {
      keyword: term.keyword,
      importance: other && other.importance < term.importance ? other.importance : term.importance,
      isDaily: term.isDaily || other?.isDaily === true,
    });
  }
  return [...merged.values()];
}

/**
 * What is to be written so that known terms are wanted until a moment. Nothing for one that is wanted as much already,
 * and for three quarters of that time or more: an audit that says so every day would write all its terms every day.
 */
export function wantedUpdates(input: {
  wanted: readonly WantedTerm[];
  known: ReadonlyMap<string, StoredTerm & Demand>;
  until: Date;
  at: Date;
}): WantedUpdate[] {
  const { wanted, known, until, at } = input;
  const longEnough = new Date(until.getTime() - (until.getTime() - at.getTime()) / 4);
  const isCovered = (moment: Date | null | undefined) => moment != null && moment >= longEnough;
  return wanted.flatMap(({ keyword, importance, isDaily }) => {
    const term = known.get(keyword);
    if (!term) return [];
    const isAsWanted = isCovered(term.wanted_until) && (!isDaily || isCovered(term.daily_until));
    if (isAsWanted && term.importance <= importance) return [];
    const dailyUntil = isDaily ? until : term.daily_until;
    const page = term.reading?.page;
    const plan = { _id: term._id, wanted_until: until, ...(dailyUntil && { daily_until: dailyUntil }) };
    const dueAt = (page && nextMeasuring(plan, page, at)) ?? at;
    const update = {
      $max: { wanted_until: until, ...(isDaily && { daily_until: until }) },
      $min: { importance, due_at: dueAt },
      $inc: { asks: 1 },
    };
    return [{ filter: { _id: term._id }, update }];
  });
}
