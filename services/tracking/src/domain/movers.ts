import { compareTexts } from './compare-texts.ts';
import { maxDepth, type PageOfIds, rankOf, type Snapshot } from './snapshot.ts';

/** The rank of an app in one snapshot: 1 to 100, or null when the app is not in it. `depth`: its number of results. */
export type RankOnDay = { day: string; rank: number | null; depth: number };

export function toRankOnDay(
  { day, app_ids: appIds }: Pick<Snapshot, 'day'> & { app_ids: PageOfIds },
  appId: string,
): RankOnDay {
  return { day, rank: rankOf(appIds, appId), depth: appIds.length };
}

export type MoverStatus = 'UP' | 'DOWN' | 'SAME' | 'ENTERED' | 'LEFT';

/** How the rank of an app for one keyword moved between two snapshots. */
export type Mover = {
  keyword_id: number;
  keyword: string;
  from: RankOnDay;
  to: RankOnDay;
  /** `rankDelta` */
  delta: number | null;
  status: MoverStatus;
};

export function toMover(
  keyword: { keyword_id: number; keyword: string },
  from: RankOnDay,
  to: RankOnDay,
): Mover {
  return { ...keyword, from, to, delta: rankDelta(from, to), status: statusOf(from.rank, to.rank) };
}

/** `from.rank - to.rank`, so that a gain is positive: -99 to 99; null when either rank is null. */
export function rankDelta({ rank: before }: RankOnDay, { rank: now }: RankOnDay): number | null {
  return before === null || now === null ? null : before - now;
}

function statusOf(before: number | null, now: number | null): MoverStatus {
  if (before === now) return 'SAME';
  if (before === null) return 'ENTERED';
  if (now === null) return 'LEFT';
  return before > now ? 'UP' : 'DOWN';
}

/**
 * The biggest movement first, then by keyword, then by keyword id. Here an app outside of the snapshot has the rank
 * after the last one, 101: entering at 3 is a movement of 98.
 */
export function compareMovers(one: Mover, other: Mover): number {
  return (
    distance(other) - distance(one) ||
    compareTexts(one.keyword, other.keyword) ||
    one.keyword_id - other.keyword_id
  );
}

function distance({ from, to }: Mover): number {
  return Math.abs((from.rank ?? maxDepth + 1) - (to.rank ?? maxDepth + 1));
}

/** The number of movers of each status. */
export function countStatuses(movers: readonly Mover[]): Record<MoverStatus, number> {
  const counts = { UP: 0, DOWN: 0, SAME: 0, ENTERED: 0, LEFT: 0 };
  for (const { status } of movers) counts[status] += 1;
  return counts;
}
