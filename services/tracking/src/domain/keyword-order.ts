import { compareTexts } from './compare-texts.ts';

/** The order of a list of tracked keywords. `by` is what each row is ordered by. */
export type KeywordOrder = {
  by: 'keyword' | 'rank' | 'traffic' | 'difficulty' | 'delta';
  isDescending: boolean;
};

/** What identifies a tracked keyword of an account, and orders those with an equal value. */
export type KeywordName = { keyword: string; keyword_id: number; listing_id: number };

/** The value of a row in its list's order, such as its rank; null when it has none. */
export type ReadValue<Row> = (row: Row) => number | null;

/** Favorites first, then by keyword: the order of a list whose request names none. */
export function compareFavorites<Row extends KeywordName & { favorite_order: number }>(
  one: Row,
  other: Row,
): number {
  return one.favorite_order - other.favorite_order || compareNames(one, other);
}

/** By keyword, then by keyword id and listing id: a total order. Descending is its exact reverse, as an index is read. */
export function compareNames(one: KeywordName, other: KeywordName): number {
  return (
    compareTexts(one.keyword, other.keyword) ||
    one.keyword_id - other.keyword_id ||
    one.listing_id - other.listing_id
  );
}

/** By a value, nulls last in either direction; equal values by keyword, keyword id and listing id, ascending. */
export function compareValues<Row extends KeywordName>(readValue: ReadValue<Row>, isDescending: boolean) {
  return (one: Row, other: Row): number => {
    const [value, otherValue] = [readValue(one), readValue(other)];
    if (value === otherValue) return compareNames(one, other);
    if (value === null) return 1;
    if (otherValue === null) return -1;
    return isDescending ? otherValue - value : value - otherValue;
  };
}
