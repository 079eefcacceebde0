import { daysBefore, type RankOnDay, toRankOnDay } from '../domain/movers.ts';
import type { SnapshotStore, SnapshotWindow } from '../stores/snapshot-store.ts';

/** The longest window of the API's histories. */
const maxSearchedDays = 400;

/**
 * The rank of an app for each keyword in the newest snapshot that is neither after the keyword's day in `upTo` nor
 * before `oldest`. Days are YYYY-MM-DD; at most 400 of them are searched. A keyword without such a snapshot is not in
 * the result.
 *
 * Cost: one query, which reads one snapshot per keyword. If some keywords have none of exactly that day, further queries
 * look back twice as far each, 9 in all. They read fewer than twice as many snapshots as days were missed.
 */
export async function readEarlierRanks(
  snapshots: Pick<SnapshotStore, 'stream'>,
  appId: string,
  { upTo, oldest, signal }: { upTo: ReadonlyMap<number, string>; oldest: string | null; signal: AbortSignal },
): Promise<Map<number, RankOnDay>> {
  const ranks = new Map<number, RankOnDay>();
  let pending = new Map(upTo);
  for (let skipped = 0; skipped < maxSearchedDays; skipped = 2 * skipped + 1) {
    const windows = toWindows(pending, { skipped, length: skipped + 1, oldest });
    if (windows.length === 0) break;
    for await (const snapshot of snapshots.stream(windows)) {
      signal.throwIfAborted();
      const newest = ranks.get(snapshot.keyword_id);
      if (!newest || snapshot.day > newest.day) ranks.set(snapshot.keyword_id, toRankOnDay(snapshot, appId));
    }
    pending = new Map([...pending].filter(([id]) => !ranks.has(id)));
  }
  return ranks;
}

/**
 * Skips the last days up to the day of each keyword and takes `length` days before these. Keywords with the same day
 * share a window.
 */
function toWindows(
  upTo: ReadonlyMap<number, string>,
  { skipped, length, oldest }: { skipped: number; length: number; oldest: string | null },
): SnapshotWindow[] {
  const windows = new Map<string, SnapshotWindow>();
  for (const [id, day] of upTo) {
    const last = daysBefore(day, skipped);
    if (oldest !== null && last < oldest) continue;
    const first = daysBefore(day, Math.min(skipped + length, maxSearchedDays) - 1);
    const window = windows.get(day) ?? {
      keywordIds: [],
      first: oldest !== null && first < oldest ? oldest : first,
      last,
    };
    window.keywordIds.push(id);
    windows.set(day, window);
  }
  return [...windows.values()];
}
