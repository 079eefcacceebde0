import type { Store } from '@shelfwise/facts/stores/store';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { isAboutApp, isAboutKeyword, type Rule } from './rule.ts';

/** A tracked keyword and when it was read. */
export type ReadKeyword = {
  keyword_id: number;
  listing_id: number;
  is_favorite: boolean;
  /** when the account tracked it */
  at: Date;
  /** YYYY-MM-DD: the last UTC day on which it was read; null: never */
  read_day: string | null;
};

/** The unread keywords of an application. */
export type Unread = {
  count: number;
  /** The first of the days on which they were last read; null: one was never read. */
  since: string | null;
};

/** What is known of the stores on a UTC day, YYYY-MM-DD. */
export type StoreDays = {
  day: string;
  /** By internal app id. */
  storeOf: ReadonlyMap<number, Store>;
  /** The UTC day since which a store can be read again; null: it is away. Absent: it never was. */
  readableSince: ReadonlyMap<Store, string | null>;
};

/**
 * The applications with keywords that were not read on `threshold` whole UTC days before the day, by internal app id. Days before
 * the account tracked a keyword, and days on which its store was away, do not count: the store has a rule of its own.
 */
export function findUnread(
  keywords: readonly ReadKeyword[],
  rule: Rule,
  { day, storeOf, readableSince }: StoreDays,
): Map<number, Unread> {
  const firstDay = daysBefore(day, rule.threshold ?? 0);
  const unread = new Map<number, Unread>();
  for (const keyword of keywords) {
    const { listing_id: listingId, read_day: readDay } = keyword;
    const store = storeOf.get(listingId);
    // Without its application it is about to be removed.
    if (store === undefined || !isAboutApp(rule, listingId) || !isAboutKeyword(rule, keyword)) continue;
    const since = readableSince.get(store);
    if (since === null) continue;
    if ([utcDay(keyword.at), readDay, since].some((known) => known != null && known >= firstDay)) continue;
    const found = unread.get(listingId);
    unread.set(listingId, {
      count: (found?.count ?? 0) + 1,
      since: found ? earlier(found.since, readDay) : readDay,
    });
  }
  return unread;
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return one < other ? one : other;
}
