import { readSort, type SortValue, sortRows } from './sort-rows.ts';

/** Choices by the name of their field in the address; one at a time is chosen. */
export type Filters<Row> = Readonly<Record<string, Readonly<Record<string, (row: Row) => boolean>>>>;

/** The rows that are shown, in the order of the address. A filter or an order that does not exist changes nothing. */
export function viewRows<Row extends { keyword: string }>(
  rows: readonly Row[],
  fields: Readonly<Record<string, string>>,
  { filters, sortValues }: { filters: Filters<Row>; sortValues: Readonly<Record<string, SortValue<Row>>> },
): readonly Row[] {
  const part = (fields.q ?? '').trim().toLowerCase();
  const chosen = Object.entries(filters).flatMap(([name, choices]) => own(choices, fields[name] ?? '') ?? []);
  const shown = rows.filter((row) => row.keyword.includes(part) && chosen.every((passes) => passes(row)));
  const sort = readSort(fields.sort ?? '');
  return sortRows(shown, sort, own(sortValues, sort?.key ?? ''));
}

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
