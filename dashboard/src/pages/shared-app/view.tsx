import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { Spark } from '../../charts/spark.tsx';
import { readSparkText } from '../../charts/spark-text.ts';
import { numberOf } from '../../figure.ts';
import { ChangedTexts, ChangeName } from '../../parts/changed-listing.tsx';
import { Missing } from '../../parts/missing.tsx';
import { type Sort, sortRows } from '../../parts/sort-rows.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatTime } from '../../text/format.ts';
import { Distribution } from '../app/distribution.tsx';
import { Visibility } from '../app/visibility.tsx';
import type { SharedAppModel } from './model.ts';

const words = texts.sharedApp;
type Row = SharedAppModel['ranks']['rows'][number];

/** For people without an account: it has no way to another page. They can sort the table, and open what changed. */
export function SharedApp({ model }: { model: SharedAppModel }) {
  const { app, ranks } = model;
  const [sort, setSort] = useState<Sort | null>(null);
  const columns = columnsFor(ranks.days);
  return (
    <main id="main" class="narrow wide">
      {model.isSample === true && (
        <p>
          <span class="badge">{texts.sampleCatalog}</span>
        </p>
      )}
      <h1>
        <bdi lang={app.lang} dir="auto">
          {app.title ?? app.storeId}
        </bdi>
      </h1>
      <p class="muted">
        {`${texts.store[app.store]} · ${app.country} · ${app.lang}`}
        <br />
        {model.readOn === null
          ? words.readBy(texts.product)
          : words.lastRead(texts.product, formatDay(model.readOn))}{' '}
        {words.about(formatTime(model.endsAt))}
      </p>
      <h2>{texts.app.visibility}</h2>
      {model.visibility.length === 0 ? (
        <Missing reason={model.missing.visibility} nothing={texts.app.noVisibility} />
      ) : (
        <Visibility days={model.visibility} />
      )}
      <h2>{texts.app.distribution}</h2>
      <Distribution distribution={model.distribution} missing={model.missing.distribution} />
      <h2>{words.ranks}</h2>
      {ranks.hasMore && <p class="muted">{texts.keywordList.hasMore}</p>}
      <Table
        caption={words.ranks}
        columns={columns}
        rows={sortRows(ranks.rows, sort, columns.find(({ key }) => key === sort?.key)?.sortBy)}
        rowKey={({ keyword }) => keyword}
        sort={sort}
        onSort={setSort}
      />
      <h2>{words.changes}</h2>
      {model.changes.length === 0 && <Missing reason={model.missing.changes} nothing={words.noChanges} />}
      <ul class="list">
        {model.changes.map((change, index) => (
          <li key={index}>
            {formatDay(change.day)} <ChangeName change={change} />
            <ChangedTexts fields={change.fields} lang={app.lang} />
          </li>
        ))}
      </ul>
      {model.hasMoreChanges && <p class="muted">{words.moreChanges}</p>}
    </main>
  );
}

function columnsFor(days: SharedAppModel['ranks']['days']): Column<Row>[] {
  return [
    {
      key: 'keyword',
      label: texts.keywordList.keyword,
      cell: ({ keyword }) => <bdi>{keyword}</bdi>,
      sortBy: ({ keyword }) => keyword,
    },
    {
      key: 'rank',
      label: texts.keywordList.rank,
      isNumber: true,
      cell: ({ rank }) => <Value of={rank} />,
      sortBy: ({ rank }) => numberOf(rank),
    },
    {
      key: 'spark',
      label: texts.keywordList.spark,
      cell: ({ keyword, spark }) =>
        spark !== null &&
        days !== null && (
          <Spark
            from={days.from}
            to={days.to}
            read={readSparkText(days.from, days.to, spark)}
            sentence={texts.keywordList.sparkOf(keyword)}
          />
        ),
    },
    {
      key: 'day',
      label: texts.keywordList.read,
      cell: ({ day }) => <span class="nowrap">{formatDay(day)}</span>,
      sortBy: ({ day }) => day,
    },
  ];
}
