import { daysBefore, daysOfWindow, utcDay } from '@shelfwise/runtime/day';
import type { RankOnDay } from './movers.ts';
import { maxDepth } from './snapshot.ts';

/** YYYY-MM-DD, both days included. */
type Window = { from: string; to: string };

/** A keyword with the days on which it was tracked. */
export type RankedKeyword = {
  tracked: Window;
  /** 0 to 100, as of today; null: not known. */
  traffic: number | null;
  /** The rank on each day with a snapshot; null: not in it. */
  ranks: ReadonlyMap<string, number | null>;
};

/** The last rank of each band. */
const bands = [
  ['rank_1', 1],
  ['rank_2_3', 3],
  ['rank_4_10', 10],
  ['rank_11_30', 30],
  ['rank_31_100', maxDepth],
] as const;

/** Not in the snapshot of the day; without a snapshot of the day. */
type Band = (typeof bands)[number][0] | 'not_ranked' | 'unread';

/** `tracked`: the sum of all bands. */
export type RankDistribution = Record<Band | 'tracked', number> & {
  date: string;
  traffic_share: number | null;
};

/** The last rank that counts in the traffic share. */
export const lastTopRank = 10;
/** Of the traffic of the tracked keywords; a share of less would be a guess. */
const leastRead = 0.8;

/**
 * The days of a window on which a keyword counts as tracked: from the day on which tracking started until the day
 * before its removal, so that today's keywords are those of the list. Null: none.
 */
export function findTrackedDays(
  { tracked_since: since, removed_at: removedAt }: { tracked_since: Date; removed_at: Date | null },
  { from, to }: Window,
): Window | null {
  const first = utcDay(since);
  const last = removedAt === null ? to : daysBefore(utcDay(removedAt), 1);
  const tracked = { from: first > from ? first : from, to: last < to ? last : to };
  return tracked.from <= tracked.to ? tracked : null;
}

/** Where the keywords of an app ranked on each day of a window, oldest first. Days without a tracked keyword are left out. */
export function distributeRanks(
  keywords: readonly RankedKeyword[],
  { from, to }: Window,
): RankDistribution[] {
  return daysOfWindow(from, to)
    .map((day) => countDay(day, keywords))
    .filter(({ tracked }) => tracked > 0);
}

/**
 * Where an app ranks on the newest day of the latest snapshots of its keywords; one whose latest snapshot is older is unread. Null:
 * there is no snapshot.
 * @param latest one for each keyword; undefined: it has no snapshot
 */
export function distributeLatest(
  latest: readonly (Pick<RankOnDay, 'day' | 'rank'> | undefined)[],
): RankDistribution | null {
  const date = latest.reduce((newest, one) => (one && one.day > newest ? one.day : newest), '');
  if (date === '') return null;
  const tracked = { from: date, to: date };
  return countDay(
    date,
    latest.map((one) => ({ tracked, traffic: null, ranks: new Map(one && [[one.day, one.rank]]) })),
  );
}

function countDay(date: string, keywords: readonly RankedKeyword[]): RankDistribution {
  const counts = {
    tracked: 0,
    rank_1: 0,
    rank_2_3: 0,
    rank_4_10: 0,
    rank_11_30: 0,
    rank_31_100: 0,
    not_ranked: 0,
    unread: 0,
  };
  const traffic = { all: 0, read: 0, top: 0 };
  for (const { tracked, ranks, traffic: score } of keywords) {
    if (date < tracked.from || date > tracked.to) continue;
    const rank = ranks.get(date);
    counts.tracked += 1;
    counts[bandOf(rank)] += 1;
    // An unknown score is left out, as in every sum.
    traffic.all += score ?? 0;
    if (rank !== undefined) traffic.read += score ?? 0;
    if (rank != null && rank <= lastTopRank) traffic.top += score ?? 0;
  }
  const isKnown = traffic.all > 0 && traffic.read / traffic.all >= leastRead;
  return { date, ...counts, traffic_share: isKnown ? toShare(traffic.top / traffic.read) : null };
}

/** With four decimals. */
function toShare(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}

/** @param rank undefined: not read; null: not ranked */
function bandOf(rank: number | null | undefined): Band {
  if (rank === undefined) return 'unread';
  return bands.find(([, last]) => rank !== null && rank <= last)?.[0] ?? 'not_ranked';
}
