import type { Column } from './format-table.ts';

/** How old a rank is. */
export type RankAge = { rank_date: string; stale: boolean };

export function readOn({ rank_date: date, stale }: RankAge): string {
  return stale ? `${date} (stale)` : date;
}

/** What rows with scores of a keyword share. */
export type ScoredRow = {
  traffic_score: number | null;
  difficulty_score: number | null;
  is_partial: boolean;
};

const notMeasured = 'not measured yet';

export function scoreNote(value: number | null): string | null {
  return value === null ? notMeasured : null;
}

/** Traffic and difficulty, 0 to 100. */
export const scoreColumns: readonly Column<ScoredRow>[] = [
  {
    title: 'traffic',
    value: (row) => row.traffic_score,
    note(row) {
      if (row.traffic_score === null) return notMeasured;
      return row.is_partial ? 'without the suggestions of the store, which are read again' : null;
    },
  },
  {
    title: 'difficulty',
    value: (row) => row.difficulty_score,
    note: (row) => scoreNote(row.difficulty_score),
  },
];
