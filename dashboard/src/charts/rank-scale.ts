/** The worst rank that a chart shows. */
const lastRank = 100;

/** The ranks at which a chart has lines. */
export const rankLines = [1, 3, 10, 30, 100] as const;

/** How far down a rank is: 0 for the first, 1 for the last. Logarithmic, because the first ten matter most. */
export function rankDepth(rank: number): number {
  return Math.log10(Math.min(rank, lastRank)) / 2;
}

/** A day on which the store was read. `rank` null: not ranked. */
export type RankDay = { date: string; rank: number | null };

/** Positions of the days from the left, from 0. A line joins only days that follow one another and both have a rank. */
export type RankLines = {
  lines: { at: number; rank: number }[][];
  /** days on which the app was not ranked */
  notRanked: number[];
  /** days that were not read */
  unread: number[];
};

export function rankLinesOf(days: readonly string[], read: readonly RankDay[]): RankLines {
  const byDay = new Map(read.map(({ date, rank }) => [date, rank]));
  const lines: RankLines['lines'] = [];
  const notRanked: number[] = [];
  const unread: number[] = [];
  let line: { at: number; rank: number }[] | null = null;
  for (const [at, day] of days.entries()) {
    const rank = byDay.get(day);
    if (rank === undefined) unread.push(at);
    else if (rank === null) notRanked.push(at);
    if (rank == null) {
      line = null;
      continue;
    }
    if (!line) {
      line = [];
      lines.push(line);
    }
    line.push({ at, rank });
  }
  return { lines, notRanked, unread };
}
