export type Sort = { key: string; isDescending: boolean };

/** What rows are ordered by; null comes last in both directions. */
export type SortValue<Row> = (row: Row) => number | string | null;

/** Made once: `localeCompare` looks one up for each two texts. */
const collator = new Intl.Collator();

/** The rows in order; as they come without one. Equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: Sort | null,
  toValue: SortValue<Row> | undefined,
): readonly Row[] {
  if (!sort || !toValue) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: toValue(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      if (typeof a.value === 'string' && typeof b.value === 'string')
        return sign * collator.compare(a.value, b.value);
      return sign * (Number(a.value) - Number(b.value));
    })
    .map(({ row }) => row);
}

/** `-rank` as in the address: from the highest value. */
export function readSort(text: string): Sort | null {
  return text === '' ? null : { key: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}
