import { useMemo, useRef } from 'preact/hooks';
import * as texts from '#texts';
import type { Figure } from '../../figure.ts';
import { FilterChips } from '../../parts/filter-chips.tsx';
import { useKeys } from '../../parts/keys.ts';
import { Missing } from '../../parts/missing.tsx';
import { readSort } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { toQuery } from '../../parts/use-address.ts';
import { Value } from '../../parts/value.tsx';
import { viewRows } from '../../parts/view-rows.ts';
import { formatDay, formatNumber, isolated } from '../../text/format.ts';
import { Change } from '../keywords/change.tsx';
import { type Fields, firstFields } from './fields.ts';
import { matrixFilters, matrixSorts } from './matrix-view.ts';
import type { Matrix, MatrixRow, RivalsModel } from './model.ts';
import { statusOf } from './status-of.ts';

const words = texts.rivals;
const periods = ['1', '7', '30'] as const;
const chipWords = { ...texts.keywordList.filters, lead: words.lead, moved: words.moved };

type Props = {
  model: RivalsModel;
  address: Fields;
  onChange: (change: Partial<Fields>) => void;
  /** the page is read again with the change */
  onRead: (change: Partial<Fields>) => void;
};

/** The rank of each app by keyword, for a period of changes. */
export function MatrixPart({ model, ...props }: Props) {
  useKeys(
    Object.fromEntries(periods.map((days) => [days.slice(0, 1), () => props.onRead({ days, page: '1' })])),
  );
  return (
    <>
      <nav class="chips" aria-label={words.period}>
        {periods.map((days) => (
          <a
            key={days}
            href={toQuery({ ...props.address, days }, firstFields) || '?'}
            aria-current={days === model.days ? 'true' : undefined}
          >
            {texts.change.days(days)}
          </a>
        ))}
      </nav>
      {model.matrix === null ? (
        <Missing reason={model.missing.matrix} nothing="" />
      ) : (
        <Rows matrix={model.matrix} app={model.app} {...props} />
      )}
    </>
  );
}

function Rows({
  matrix,
  app,
  address,
  onChange,
}: Omit<Props, 'model'> & { matrix: Matrix; app: RivalsModel['app'] }) {
  const filter = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => filter.current?.focus() });
  const filters = useMemo(() => matrixFilters(matrix), [matrix]);
  const sortValues = useMemo(() => matrixSorts(matrix), [matrix]);
  const rows = useMemo(() => viewRows(matrix.rows, address, { filters, sortValues }), [matrix, address]);
  const columns: Column<MatrixRow>[] = [
    {
      key: 'keyword',
      label: texts.keywordList.keyword,
      cell: ({ id, keyword }) => (
        <a href={`/dashboard/apps/${app.id}/keywords/${id}`}>
          <bdi lang={app.lang}>{keyword}</bdi>
        </a>
      ),
    },
    ...matrix.apps.map(({ appId: storeId, title, isOwn }, at): Column<MatrixRow> => {
      const name = isolated(title ?? storeId);
      return {
        key: `app-${storeId}`,
        label: isOwn ? words.yours(name) : name,
        isNumber: true,
        cell: ({ ranks, bestId }) => <Rank cell={ranks[at]} isBest={bestId === storeId} isOwn={isOwn} />,
      };
    }),
    {
      key: 'traffic',
      label: texts.keywordList.traffic,
      isNumber: true,
      cell: ({ traffic }) => <Value of={traffic} />,
    },
    {
      key: 'difficulty',
      label: texts.keywordList.difficulty,
      isNumber: true,
      cell: ({ difficulty }) => <Value of={difficulty} />,
    },
    {
      key: 'day',
      label: texts.keywordList.read,
      cell: ({ day }) => <span class="nowrap">{formatDay(day)}</span>,
    },
  ];
  return (
    <>
      <div class="row">
        <div>
          <label for="filter">{texts.keywordList.filter}</label>
          <input
            id="filter"
            ref={filter}
            value={address.q}
            onInput={(event) => onChange({ q: event.currentTarget.value })}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
        </div>
      </div>
      <FilterChips filters={filters} words={chipWords} fields={address} onChange={onChange} />
      <p class="muted" role="status">
        {texts.table.shown(formatNumber(rows.length), formatNumber(matrix.rows.length))}
      </p>
      {matrix.pages !== null && <Pages pages={matrix.pages} total={matrix.total} address={address} />}
      <div class="matrix">
        <Table
          caption={words.matrix}
          columns={columns.map((column) => ({ ...column, sortBy: sortValues[column.key] }))}
          rows={rows}
          rowKey={({ id }) => id}
          sort={readSort(address.sort)}
          onSort={({ key, isDescending }) => onChange({ sort: isDescending ? `-${key}` : key })}
        />
      </div>
      <p class="muted">{words.legend}</p>
    </>
  );
}

/**
 * A rank with its change, and whether it is the best of its row. The word is seen only at competitors: at the own app it would be in
 * nearly every row of a good listing, and hide the rows that are lost.
 */
function Rank({
  cell,
  isBest,
  isOwn,
}: {
  cell: MatrixRow['ranks'][number] | undefined;
  isBest: boolean;
  isOwn: boolean;
}) {
  if (!cell) return null;
  const rank = <Value of={cell.rank} />;
  return (
    <>
      {isBest ? (
        <strong>
          {rank} <span class={isOwn ? 'hidden' : 'mark'}>{words.best}</span>
        </strong>
      ) : (
        rank
      )}{' '}
      {cell.change !== null && <Change change={cell.change} status={statusOf(cell.change)} />}
    </>
  );
}

/** Filters and orders are those of one page. */
function Pages({
  pages: { at, count, previous, next },
  total,
  address,
}: {
  pages: NonNullable<Matrix['pages']>;
  total: Figure;
  address: Fields;
}) {
  const to = (page: string) => toQuery({ ...address, page }, firstFields) || '?';
  return (
    <nav class="chips" aria-label={words.pagesLabel}>
      {previous !== null && <a href={to(previous)}>{words.previous}</a>}
      <span>
        {words.pages(formatNumber(Number(at)), formatNumber(Number(count)))} · {texts.keywordList.caption}{' '}
        <Value of={total} />
      </span>
      {next !== null && <a href={to(next)}>{words.next}</a>}
    </nav>
  );
}
