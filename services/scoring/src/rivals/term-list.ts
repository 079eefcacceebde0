import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { foldCase } from '@shelfwise/facts/text/literal-search';
import { TermListQuery_Field as Field, type TermListQuery } from '@shelfwise/proto/scoring/v1/scoring';
import { checkInteger, checkPage, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { SeenTerm } from './seen-term.ts';

/** The values by which a list of terms is ordered; null: unknown. */
export type ListedTerm = {
  term: SeenTerm;
  rank: number | null;
  gain?: number | null;
  value: number | null;
  /** What `value` is at most, where that takes long to compute; null: `value` is null, too. Absent: not known of any row. */
  mostValue?: number | null;
};

/** How a list of terms is narrowed, ordered and paged. */
export type TermList = {
  field: Field;
  isDescending: boolean;
  /** null: all; the same for those below */
  search: string | null;
  minTraffic: number | null;
  maxDifficulty: number | null;
  isTracked: boolean | null;
  skip: number;
  limit: number;
};

const maxPerPage = 1000;
/** In UTF-16 units. The gateway accepts 100 code points. */
const maxSearchLength = 400;

/** @throws INVALID_PARAMS */
export function checkTermList(query: TermListQuery | null): TermList {
  if (!query) throw invalidParams({ query: 'must say which page' });
  const { order, search, min_traffic: minTraffic, max_difficulty: maxDifficulty } = query;
  if (!(order in figureOf)) throw invalidParams({ order: 'must name a field to order by' });
  const isByDefault = order === Field.UNSPECIFIED;
  return {
    field: isByDefault ? Field.VALUE : order,
    isDescending: isByDefault || query.descending,
    search: search == null ? null : checkText('search', search, 1, maxSearchLength),
    minTraffic: minTraffic == null ? null : checkInteger('min_traffic', minTraffic, 0, 100),
    maxDifficulty: maxDifficulty == null ? null : checkInteger('max_difficulty', maxDifficulty, 0, 100),
    isTracked: query.is_tracked ?? null,
    ...checkPage(query, maxPerPage),
  };
}

/** Whether a list has a term, apart from its values. An unknown score is neither above nor below a limit. */
export function createTermFilter(list: TermList): (term: SeenTerm) => boolean {
  const { minTraffic, maxDifficulty, isTracked } = list;
  const search = list.search === null ? null : foldCase(normalizeKeyword(list.search));
  return ({ keyword, keyword_id: keywordId, score }) =>
    (isTracked === null || isTracked === (keywordId !== null)) &&
    (minTraffic === null || (score.traffic !== null && score.traffic >= minTraffic)) &&
    (maxDifficulty === null || (score.difficulty !== null && score.difficulty <= maxDifficulty)) &&
    (search === null || foldCase(keyword).includes(search));
}

/** One page of the rows in their order: unknown values last, equal ones by keyword. */
export function pageOfTerms<Row extends ListedTerm>(
  rows: readonly Row[],
  { field, isDescending, skip, limit }: TermList,
): Row[] {
  const direction = isDescending ? -1 : 1;
  const read = figureOf[field];
  const compareKeywords = (a: Row, b: Row) => (a.term.keyword < b.term.keyword ? -1 : 1);
  const compare = (a: Row, b: Row) => {
    if (!read) return direction * compareKeywords(a, b);
    const [one, other] = [read(a), read(b)];
    if (one === other) return compareKeywords(a, b);
    if (one === null || other === null) return one === null ? 1 : -1;
    return direction * (one - other);
  };
  const count = skip + limit;
  if (count > rows.length / 8) return rows.toSorted(compare).slice(skip, count);
  const isBounded = field === Field.VALUE && isDescending && rows[0]?.mostValue !== undefined;
  if (!isBounded) return firstInOrder(rows, compare, count).slice(skip);
  // Then few values are computed.
  const highestFirst = rows.toSorted((a, b) => mostValueOf(b) - mostValueOf(a));
  const isLess = (row: Row, last: Row) => last.value !== null && mostValueOf(row) < last.value;
  return firstInOrder(highestFirst, compare, count, isLess).slice(skip);
}

/** A row without a value comes last. */
function mostValueOf({ mostValue }: ListedTerm): number {
  return mostValue ?? Number.NEGATIVE_INFINITY;
}

/**
 * The first rows of the sorted ones: the others are only compared with the last one of them.
 * @param isEnd whether a row, and all that follow, come after the last one
 */
function firstInOrder<Row>(
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
  count: number,
  isEnd: (row: Row, last: Row) => boolean = () => false,
): Row[] {
  const first: Row[] = [];
  for (const row of rows) {
    const last = first[count - 1];
    if (last !== undefined && isEnd(row, last)) break;
    if (last !== undefined && compare(row, last) >= 0) continue;
    let [from, to] = [0, first.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compare(row, first[middle] as Row) < 0) to = middle;
      else from = middle + 1;
    }
    first.splice(from, 0, row);
    if (first.length > count) first.pop();
  }
  return first;
}

/** By field: what is compared; null: the keyword itself. */
const figureOf: Readonly<Partial<Record<Field, ((row: ListedTerm) => number | null) | null>>> = {
  [Field.UNSPECIFIED]: null,
  [Field.KEYWORD]: null,
  [Field.TRAFFIC]: ({ term }) => term.score.traffic,
  [Field.DIFFICULTY]: ({ term }) => term.score.difficulty,
  [Field.KEI]: ({ term }) => term.kei,
  [Field.RANK]: ({ rank }) => rank,
  [Field.VALUE]: ({ value }) => value,
  [Field.GAIN]: ({ gain }) => gain ?? null,
};
