import { daysBefore, type RankOnDay, toRankOnDay } from '../domain/movers.ts';
import type { SnapshotStore, SnapshotWindow } from '../stores/snapshot-store.ts';

/**
 * The rank of an app for each keyword in its newest snapshot of a window: `searchedDays` days, of which the last is the
 * keyword's day in `upTo` (YYYY-MM-DD). A keyword without such a snapshot is not in the result.
 *
 * Cost: one query, which reads one snapshot per keyword. If some keywords have none of exactly that day, further queries
 * look back twice as far each: 9 queries in all for 400 days. They read fewer than twice as many snapshots as days were
 * missed.
 */
export async function readEarlierRanks(
  snapshots: Pick<SnapshotStore, 'stream'>,
  appId: string,
  {
    upTo,
    searchedDays,
    signal,
  }: { upTo: ReadonlyMap<number, string>; searchedDays: number; signal: AbortSignal },
): Promise<Map<number, RankOnDay>> {
  const ranks = new Map<number, RankOnDay>();
  let skippedDays = 0;
  let pending = upTo;
  while (pending.size > 0 && skippedDays < searchedDays) {
    const nextDays = Math.min(2 * skippedDays + 1, searchedDays);
    for await (const snapshot of snapshots.stream(toWindows(pending, skippedDays, nextDays))) {
      signal.throwIfAborted();
      const newest = ranks.get(snapshot.keyword_id);
      if (!newest || snapshot.day > newest.day) ranks.set(snapshot.keyword_id, toRankOnDay(snapshot, appId));
    }
    pending = new Map([...pending].filter(([id]) => !ranks.has(id)));
    skippedDays = nextDays;
  }
  return ranks;
}

/**
 * One window for the keywords with the same day: the `nextDays` days up to it without the last `skippedDays`, which were
 * read before.
 */
function toWindows(
  upTo: ReadonlyMap<number, string>,
  skippedDays: number,
  nextDays: number,
): SnapshotWindow[] {
  const windows = new Map<string, SnapshotWindow>();
  for (const [id, day] of upTo) {
    const window = windows.get(day) ?? {
      keywordIds: [],
      first: daysBefore(day, nextDays - 1),
      last: daysBefore(day, skippedDays),
    };
    window.keywordIds.push(id);
    windows.set(day, window);
  }
  return [...windows.values()];
}
