import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import * as texts from '#texts';
import { formatNumber } from '../text/format.ts';
import { Scroll } from './scroll.tsx';
import type { Sort, SortValue } from './sort-rows.ts';

export type Column<Row> = {
  key: string;
  label: string;
  /** numbers are aligned at their end */
  isNumber?: boolean;
  cell: (row: Row, isMarked: boolean) => ComponentChildren;
  /** absent: the column cannot be sorted */
  sortBy?: SortValue<Row> | undefined;
};

/** Rows that are drawn at first, and again on the way down: with 1,000 at once a sort takes ten times as long. */
const rowsAtOnce = 100;

/** After a sort, those that fill a screen are painted first; the next frame has the others of the first `rowsAtOnce`. */
const rowsOfScreen = 40;

/**
 * A table whose first column names the row. It scrolls sideways in a region of its own, so that the page never does. A row that is the
 * same object as before, with the same `columns`, is not drawn again.
 * @param rows in the order of `sort`
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  sort,
  onSort,
  selected,
  marked,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  /** the row that the keyboard is at */
  selected?: string | null;
  /** the keys of the rows whose cells are drawn as marked */
  marked?: ReadonlySet<string>;
}) {
  const order = JSON.stringify(sort);
  const [drawnTo, setDrawnTo] = useState({ order, limit: rowsAtOnce });
  const limit = drawnTo.order === order ? drawnTo.limit : rowsOfScreen;
  const isFilling = limit < rowsAtOnce;
  const at = selected == null ? -1 : rows.findIndex((row) => rowKey(row) === selected);
  const drawn = rows.slice(0, Math.max(limit, at + 1));
  const end = useRef<HTMLButtonElement>(null);
  const hasMore = !isFilling && drawn.length < rows.length;
  useEffect(() => {
    if (isFilling) setDrawnTo({ order, limit: rowsAtOnce });
  }, [isFilling, order]);
  useEffect(() => {
    if (selected != null)
      document.querySelector('tr[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  useEffect(() => {
    if (!hasMore || !end.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting))
        setDrawnTo({ order, limit: limit + rowsAtOnce });
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, limit, order]);
  return (
    <Scroll label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => (
            <TableRow
              key={rowKey(row)}
              name={rowKey(row)}
              row={row}
              columns={columns}
              isSelected={selected === rowKey(row)}
              isMarked={marked?.has(rowKey(row)) ?? false}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="muted">{texts.table.none}</p>}
      {hasMore && (
        <p>
          {texts.table.shown(formatNumber(drawn.length), formatNumber(rows.length))}{' '}
          <button type="button" ref={end} onClick={() => setDrawnTo({ order, limit: limit + rowsAtOnce })}>
            {texts.table.more}
          </button>
        </p>
      )}
    </Scroll>
  );
}

/** The same element as before unless something of the row changed: a sort moves rows, and draws only those that are new. */
function TableRow<Row>({
  name,
  row,
  columns,
  isSelected,
  isMarked,
}: {
  name: string;
  row: Row;
  columns: readonly Column<Row>[];
  isSelected: boolean;
  isMarked: boolean;
}) {
  return useMemo(
    () => (
      <tr data-row={name} aria-selected={isSelected}>
        {columns.map(({ key, label, isNumber, cell }, index) =>
          index === 0 ? (
            <th key={key} scope="row">
              {cell(row, isMarked)}
            </th>
          ) : (
            <td key={key} class={isNumber ? 'n' : undefined} data-label={label}>
              {cell(row, isMarked)}
            </td>
          ),
        )}
      </tr>
    ),
    [name, row, columns, isSelected, isMarked],
  );
}

function Heading<Row>({
  column: { key, label, isNumber, sortBy },
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}) {
  if (!sortBy)
    return (
      <th scope="col" class={isNumber ? 'n' : undefined}>
        {label}
      </th>
    );
  const isSorted = sort?.key === key;
  const isDescending = isSorted && sort.isDescending;
  const mark = isDescending ? ' ↓' : ' ↑';
  return (
    <th
      scope="col"
      class={isNumber ? 'n' : undefined}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="plain"
        title={texts.table.sortBy(label)}
        onClick={() => onSort({ key, isDescending: isSorted && !isDescending })}
      >
        {label}
        <span aria-hidden="true">{isSorted ? mark : ''}</span>
      </button>
    </th>
  );
}
