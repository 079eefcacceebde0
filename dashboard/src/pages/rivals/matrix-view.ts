import { numberOf } from '../../figure.ts';
import type { SortValue } from '../../parts/sort-rows.ts';
import type { Filters } from '../../parts/view-rows.ts';
import type { Matrix, MatrixRow } from './model.ts';

const rankOf = ({ ranks }: MatrixRow, at: number) => {
  const cell = ranks[at];
  return cell ? numberOf(cell.rank) : null;
};
const ownRank = (row: MatrixRow) => rankOf(row, 0);
const ownChange = ({ ranks: [own] }: MatrixRow) => (own?.change ? (numberOf(own.change) ?? 0) : 0);
const isBetween = (first: number, last: number) => (row: MatrixRow) => {
  const rank = ownRank(row);
  return rank !== null && rank >= first && rank <= last;
};

/** Of the own app, which is the first of each row. `ahead`: it ranks best; `behind`: a competitor does. */
export function matrixFilters({ apps: [own] }: Pick<Matrix, 'apps'>) {
  return {
    lead: {
      ahead: ({ bestId }: MatrixRow) => bestId !== null && bestId === own?.appId,
      behind: ({ bestId }: MatrixRow) => bestId !== null && bestId !== own?.appId,
    },
    rank: {
      '1-3': isBetween(1, 3),
      '4-10': isBetween(4, 10),
      '11-30': isBetween(11, 30),
      '31-100': isBetween(31, 100),
      none: (row: MatrixRow) => ownRank(row) === null,
    },
    moved: {
      up: (row: MatrixRow) => ownChange(row) > 0,
      down: (row: MatrixRow) => ownChange(row) < 0,
    },
  } satisfies Filters<MatrixRow>;
}

/** By the names of columns; that of an app is its store identifier, after `app-`. */
export function matrixSorts({ apps }: Pick<Matrix, 'apps'>): Record<string, SortValue<MatrixRow>> {
  return {
    keyword: ({ keyword }) => keyword,
    traffic: ({ traffic }) => numberOf(traffic),
    difficulty: ({ difficulty }) => numberOf(difficulty),
    day: ({ day }) => day,
    ...Object.fromEntries(
      apps.map(({ appId }, at): [string, SortValue<MatrixRow>] => [`app-${appId}`, (row) => rankOf(row, at)]),
    ),
  };
}
