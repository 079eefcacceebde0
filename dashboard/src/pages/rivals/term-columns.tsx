import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { Column } from '../../parts/table.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber } from '../../text/format.ts';
import { type ChosenTerms, TrackOutcomes } from '../keywords/chosen-terms.tsx';
import type { Term } from './model.ts';

const words = texts.rivals;

/** The first columns of terms: the term, which is chosen unless it is tracked, and its scores. */
export function termColumns<Row extends Term>(
  app: AppHead,
  { chosen, choose, isBusy }: ChosenTerms,
): Column<Row>[] {
  return [
    {
      key: 'keyword',
      label: texts.keywordList.keyword,
      cell: (term) =>
        term.keywordId !== null ? (
          <>
            <a href={`/dashboard/apps/${app.id}/keywords/${term.keywordId}`}>
              <bdi lang={app.lang}>{term.keyword}</bdi>
            </a>{' '}
            <small>{words.tracked}</small>
          </>
        ) : (
          <label class="check">
            <input
              type="checkbox"
              checked={chosen.has(term.keyword)}
              disabled={isBusy}
              aria-label={words.choose(term.keyword)}
              onChange={(event) => choose(term.keyword, event.currentTarget.checked)}
            />
            <bdi lang={app.lang}>{term.keyword}</bdi>
            {term.isTracked && <small>{words.tracked}</small>}
          </label>
        ),
      sortBy: ({ keyword }) => keyword,
    },
    ...(['traffic', 'difficulty', 'kei'] as const).map(
      (key): Column<Row> => ({
        key,
        label: texts.keywordList[key],
        isNumber: true,
        cell: (term) => <Value of={term[key]} decimals={key === 'kei' ? 1 : 0} />,
        sortBy: (term) => numberOf(term[key]),
      }),
    ),
  ];
}

/** Of what is not tracked, only the week is known. */
export function dayColumn<Row extends Term & { day: string }>(): Column<Row> {
  return {
    key: 'day',
    label: texts.keywordList.read,
    cell: ({ day, isTracked }) => (
      <span class="nowrap">{isTracked ? formatDay(day) : words.weekOf(formatDay(day))}</span>
    ),
    sortBy: ({ day }) => day,
  };
}

/** The last column: to the draft with the term at the end of its subtitle, which both stores have. */
export function tryColumn<Row extends Term>(app: AppHead): Column<Row> {
  return {
    key: 'try',
    label: words.tryColumn,
    cell: ({ keyword }) => (
      <a
        href={`/dashboard/apps/${app.id}/simulator?${new URLSearchParams({ add: keyword, field: 'subtitle' })}`}
        aria-label={texts.keywordList.tryWord(keyword)}
      >
        {texts.keywordList.tryIt}
      </a>
    ),
  };
}

/** `onTracked` is called when the terms were sent. */
export function TrackChosen({
  app,
  terms,
  onTracked,
}: {
  app: AppHead;
  terms: ChosenTerms;
  onTracked: () => void;
}) {
  return (
    <>
      <p class="actions">
        <button
          type="button"
          disabled={terms.isBusy || terms.chosen.size === 0}
          onClick={() => void terms.track(app).then(onTracked)}
        >
          {terms.isBusy ? texts.trackApp.tracking : words.track(formatNumber(terms.chosen.size))}
        </button>
      </p>
      <TrackOutcomes of={terms} />
    </>
  );
}
