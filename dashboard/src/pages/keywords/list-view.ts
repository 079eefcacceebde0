import { numberOf } from '../../figure.ts';
import type { SortValue } from '../../parts/sort-rows.ts';
import { viewRows } from '../../parts/view-rows.ts';
import type { KeywordRow } from './model.ts';

/** What of the list is shown, and in which order, as in the address. Empty: everything, in the order of the list. */
export const wholeList = { q: '', favorites: '', rank: '', moved: '', sort: '' };

export type ListFields = typeof wholeList;

export const sortValues = {
  keyword: ({ keyword }) => keyword,
  rank: ({ rank }) => numberOf(rank),
  change: ({ change }) => numberOf(change),
  traffic: ({ traffic }) => numberOf(traffic),
  difficulty: ({ difficulty }) => numberOf(difficulty),
  kei: ({ kei }) => numberOf(kei),
  day: ({ day }) => day,
} satisfies Record<string, SortValue<KeywordRow>>;

const isBetween = (first: number, last: number) => (row: KeywordRow) => {
  const rank = numberOf(row.rank);
  return rank !== null && rank >= first && rank <= last;
};

/** The filters of a field, of which one at a time is chosen. */
export const filters = {
  favorites: { yes: (row: KeywordRow) => row.isFavorite },
  rank: {
    '1-3': isBetween(1, 3),
    '4-10': isBetween(4, 10),
    '11-30': isBetween(11, 30),
    '31-100': isBetween(31, 100),
    none: (row: KeywordRow) => numberOf(row.rank) === null,
  },
  moved: {
    up: ({ status }: KeywordRow) => status === 'up' || status === 'entered',
    down: ({ status }: KeywordRow) => status === 'down' || status === 'left',
  },
} satisfies Partial<Record<keyof ListFields, Record<string, (row: KeywordRow) => boolean>>>;

/** The rows that are shown. A filter that does not exist shows all. */
export function viewList(rows: readonly KeywordRow[], fields: ListFields): readonly KeywordRow[] {
  return viewRows(rows, fields, { filters, sortValues });
}
