import { daysBefore, daysOfWindow } from '@shelfwise/runtime/day';
import { createRandom } from '@shelfwise/runtime/random';
import { maxDepth } from './snapshot.ts';

/** The rank of the app for a keyword on each day with a snapshot (YYYY-MM-DD); null: not in it. */
export type RanksByDay = ReadonlyMap<string, number | null>;

export const groupNames = ['added', 'removed', 'control'] as const;

export type GroupName = (typeof groupNames)[number];

/** The keywords that hold a word that a change added or removed, and those that hold neither. */
export type Groups<Keyword> = Readonly<Record<GroupName, readonly Keyword[]>>;

export type GroupEffect = {
  /** also those that were read on too few days */
  keywords: number;
  /** Medians over days, and over keywords that were read on enough of them. Null: fewer than `leastKeywords` were. */
  rank_before: number | null;
  rank_after: number | null;
  /**
   * Whether the ranks moved otherwise than those of the control, beyond chance. It does not say why. Null: there is nothing to
   * compare, too few keywords to tell it from chance, or it is the control.
   */
  moved: boolean | null;
};

export const leastKeywords = 3;
/** Of the days before the change, and of those after. */
const leastRead = 0.8;
/** Not in the snapshot: one rank below the last. */
const notRanked = maxDepth + 1;

const permutations = 1000;
/** The same days and keywords are drawn in every call, so that an answer can be repeated. */
const seed = 46;
/** Sums in another order differ by less. */
const rounding = 1e-9;
/** How many permutations a difference above their 95th percentile exceeds at least. */
const leastExceeded = Math.ceil(0.95 * permutations);
/**
 * Of a group and the control together. Six keywords have 20 divisions into 3 and 3, and each has a mirror image with the same
 * difference: two in 20 are never under 5 %. Seven have 35, without mirror images.
 */
const leastCompared = 7;

/**
 * The ranks of groups of keywords in the days before a change and in as many days after it, without the day itself.
 *
 * A group has moved when its difference to the control is beyond chance in both of these:
 * - the change of the mean of the daily medians, among 1,000 permutations of the days. The days of all keywords are permuted
 *   together, since a store moves many ranks on one day.
 * - the mean change of its keywords, among 1,000 permutations of which keywords are the group and which the control. Ranks that
 *   drift differ between the halves in nearly every order of the days; they do so in any group.
 *
 * What only the keywords of a group share, such as a new rival for their word, counts as moved: it is not told from a gain.
 *
 * Beyond chance is above the 95th percentile. Means decide because the median of a step is nearly the same in every permutation.
 *
 * A keyword that was read on under 80 % of the days on either side is left out. Otherwise one that is tracked only since the
 * change would move the medians although no rank moved.
 */
export function compareRanks(
  groups: Groups<RanksByDay>,
  { day, days }: { day: string; days: number },
): Record<GroupName, GroupEffect> {
  const before = daysOfWindow(daysBefore(day, days), daysBefore(day, 1));
  const after = daysOfWindow(daysBefore(day, -1), daysBefore(day, -days));
  const { inOrder, permuted } = ordersOfDays(before.length + after.length);
  const isReadOn = (ranks: RanksByDay, half: readonly string[]) =>
    half.filter((one) => ranks.has(one)).length >= leastRead * days;
  const readGroup = (group: readonly RanksByDay[]): ReadGroup => {
    const known = group.filter((ranks) => isReadOn(ranks, before) && isReadOn(ranks, after));
    if (known.length < leastKeywords) return { keywords: group.length, medians: null, changes: null };
    const read = [readDays(known, before), readDays(known, after)] as const;
    const medians = read.map((half) => medianOf(half.flat()));
    const daily = read.flat().map((ranks) => (ranks.length === 0 ? null : medianOf(ranks)));
    return {
      keywords: group.length,
      medians: { rank_before: medians[0] ?? null, rank_after: medians[1] ?? null },
      changes: {
        byOrder: changesOf(daily, [inOrder, ...permuted]),
        byKeyword: known.flatMap((ranks) => {
          const byDay = [...before, ...after].map((one) => rankOn(ranks, one));
          return changesOf(byDay, [inOrder]);
        }),
      },
    };
  };
  const control = readGroup(groups.control);
  const effect = ({ keywords, medians, changes }: ReadGroup): GroupEffect => ({
    keywords,
    rank_before: null,
    rank_after: null,
    ...medians,
    moved: changes && control.changes && hasMoved(changes, control.changes),
  });
  return {
    added: effect(readGroup(groups.added)),
    removed: effect(readGroup(groups.removed)),
    control: { ...effect(control), moved: null },
  };
}

/** Ranks after minus ranks before. */
type Changes = {
  /** of the mean of the daily medians, as it was and in each permutation of the days */
  byOrder: number[];
  /** of the mean rank of each keyword that was read on enough days */
  byKeyword: number[];
};

/** Null: not enough is known. */
type ReadGroup = {
  keywords: number;
  medians: Pick<GroupEffect, 'rank_before' | 'rank_after'> | null;
  changes: Changes | null;
};

/** Null: not read on that day. */
function rankOn(ranks: RanksByDay, day: string): number | null {
  const rank = ranks.get(day);
  return rank === undefined ? null : (rank ?? notRanked);
}

/** The ranks of the group on each day. */
function readDays(group: readonly RanksByDay[], days: readonly string[]): number[][] {
  return days.map((day) => group.map((ranks) => rankOn(ranks, day)).filter((rank) => rank !== null));
}

/** The positions of days, at most 255. `permuted`: by Fisher-Yates. */
type Orders = { inOrder: Uint8Array; permuted: readonly Uint8Array[] };

/** By the number of days. A change is compared over three windows, so these are three. */
const knownOrders = new Map<number, Orders>();

function ordersOfDays(count: number): Orders {
  const known = knownOrders.get(count);
  if (known) return known;
  const { below } = createRandom(seed);
  const inOrder = Uint8Array.from({ length: count }, (_, index) => index);
  const permuted = Array.from({ length: permutations }, () => {
    const order = inOrder.slice();
    for (let last = count - 1; last > 0; last--) {
      const other = below(last + 1);
      [order[last], order[other]] = [order[other] as number, order[last] as number];
    }
    return order;
  });
  const orders = { inOrder, permuted };
  knownOrders.set(count, orders);
  return orders;
}

/**
 * Of the days in each order, the mean of the second half minus that of the first, without unread days. 0 when a half has none.
 * The sums are exact, since ranks and medians are whole or half numbers: the second half is the rest.
 */
function changesOf(daily: readonly (number | null)[], orders: readonly Uint8Array[]): number[] {
  const ranks = Float64Array.from(daily, (rank) => rank ?? 0);
  const isRead = Uint8Array.from(daily, (rank) => Number(rank !== null));
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const totalRead = isRead.reduce((sum, one) => sum + one, 0);
  return orders.map((order) => {
    let [sum, read] = [0, 0];
    for (let at = 0; at < order.length / 2; at++) {
      const position = order[at] as number;
      sum += ranks[position] as number;
      read += isRead[position] as number;
    }
    const readAfter = totalRead - read;
    return read === 0 || readAfter === 0 ? 0 : (total - sum) / readAfter - sum / read;
  });
}

/** Null: beyond chance by the days, and too few keywords to tell by them. */
function hasMoved(group: Changes, control: Changes): boolean | null {
  const byOrder = group.byOrder.map((change, index) => change - (control.byOrder[index] ?? 0));
  if (!isBeyondChance(byOrder)) return false;
  if (group.byKeyword.length + control.byKeyword.length < leastCompared) return null;
  return isBeyondChance(permuteKeywords(group.byKeyword, control.byKeyword));
}

/** The difference of the means of group and control as they are, then with keywords drawn for the group, as many as it has. */
function permuteKeywords(group: readonly number[], control: readonly number[]): number[] {
  const { below } = createRandom(seed);
  const pool = [...group, ...control];
  const total = pool.reduce((sum, change) => sum + change, 0);
  const difference = (sum: number) => sum / group.length - (total - sum) / control.length;
  const drawn = Array.from({ length: permutations }, () => {
    let sum = 0;
    for (let index = 0; index < group.length; index++) {
      const other = index + below(pool.length - index);
      [pool[index], pool[other]] = [pool[other] as number, pool[index] as number];
      sum += pool[index] as number;
    }
    return difference(sum);
  });
  return [difference(group.reduce((sum, change) => sum + change, 0)), ...drawn];
}

/** Whether the first difference, in either direction, exceeds the 95th percentile of the others. */
function isBeyondChance(differences: readonly number[]): boolean {
  const [real = 0, ...drawn] = differences.map(Math.abs);
  return drawn.filter((difference) => real > difference + rounding).length >= leastExceeded;
}

/** Of one rank at least; the mean of the two middle ones when their number is even. */
function medianOf(ranks: readonly number[]): number {
  const sorted = ranks.toSorted((one, other) => one - other);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? notRanked;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? notRanked;
  return (lower + upper) / 2;
}
