import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { CutName } from '../../parts/cut-name.tsx';
import { Missing } from '../../parts/missing.tsx';
import { readSort, sortRows } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Value } from '../../parts/value.tsx';
import { useChosenTerms } from '../keywords/chosen-terms.tsx';
import { type Fields, gapLimits } from './fields.ts';
import { KeptPages } from './kept-pages.tsx';
import type { Gap, GapRow, RivalsModel } from './model.ts';
import { dayColumn, TrackChosen, termColumns, tryColumn } from './term-columns.tsx';

const words = texts.rivals;

type Props = {
  app: RivalsModel['app'];
  address: Fields;
  onChange: (change: Partial<Fields>) => void;
  /** the page is read again with the change */
  onRead: (change: Partial<Fields>) => void;
};

/** Terms for which competitors rank and the app does not. */
export function GapPart({
  gap,
  missing,
  ...props
}: Props & { gap: Gap | null; missing: RivalsModel['missing']['gap'] }) {
  return (
    <>
      <p class="muted">{words.gapHint}</p>
      <Limits {...props} />
      {gap === null ? <Missing reason={missing} nothing="" /> : <Rows gap={gap} {...props} />}
    </>
  );
}

/** Which ranks count, and how much a term is searched. */
function Limits({ address, onRead }: Pick<Props, 'address' | 'onRead'>) {
  const names = Object.keys(gapLimits) as (keyof typeof gapLimits)[];
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget as HTMLFormElement);
        onRead(Object.fromEntries(names.map((name) => [name, String(sent.get(name))])));
      }}
    >
      {names.map((name) => (
        <div key={name} class="short">
          <label for={name}>{words.limits[name]}</label>
          <input
            id={name}
            name={name}
            type="number"
            required
            min={gapLimits[name][0]}
            max={gapLimits[name][1]}
            defaultValue={address[name]}
          />
        </div>
      ))}
      <button type="submit">{words.show}</button>
    </form>
  );
}

function Rows({ gap, app, address, onChange, onRead }: Props & { gap: Gap }) {
  const terms = useChosenTerms();
  const columns: Column<GapRow>[] = [
    ...termColumns<GapRow>(app, terms),
    {
      key: 'own',
      label: words.own,
      isNumber: true,
      cell: ({ ownRank }) => <Value of={ownRank} />,
      sortBy: ({ ownRank }) => numberOf(ownRank),
    },
    {
      key: 'rivals',
      label: words.rivals,
      cell: ({ rivals }) =>
        rivals.map(({ appId, title, rank }, at) => (
          <span key={appId}>
            {at > 0 && ' · '}
            <CutName name={title ?? appId} lang={app.lang} /> <Value of={rank} />
          </span>
        )),
      sortBy: ({ rivals }) => Math.min(...rivals.map(({ rank }) => numberOf(rank) ?? Infinity)),
    },
    ...(['gain', 'value'] as const).map(
      (key): Column<GapRow> => ({
        key,
        label: words[key],
        isNumber: true,
        cell: (row) => <Value of={row[key]} decimals={key === 'gain' ? 2 : 1} />,
        sortBy: (row) => numberOf(row[key]),
      }),
    ),
    dayColumn<GapRow>(),
    tryColumn<GapRow>(app),
  ];
  const sort = readSort(address.gap_sort);
  return (
    <>
      <KeptPages kept={gap.kept} />
      {gap.rows.length === 0 && gap.reason !== null ? (
        <p>{words.noGap[gap.reason] ?? <ApiText>{gap.reason}</ApiText>}</p>
      ) : (
        <Table
          caption={words.gap}
          columns={columns}
          rows={sortRows(gap.rows, sort, columns.find(({ key }) => key === sort?.key)?.sortBy)}
          rowKey={({ keyword }) => keyword}
          sort={sort}
          onSort={({ key, isDescending }) => onChange({ gap_sort: isDescending ? `-${key}` : key })}
        />
      )}
      <TrackChosen app={app} terms={terms} onTracked={() => onRead({})} />
    </>
  );
}
