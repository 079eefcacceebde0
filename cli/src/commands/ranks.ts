import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Column } from '../print/format-table.ts';
import { printPages } from '../print/print-pages.ts';
import { defineCommand, toQuery } from './define-command.ts';
import { pageOptions } from './page-options.ts';

type Day = { date: string; rank: number | null };

type RankHistories = {
  keywords: {
    keyword_id: number;
    keyword: string;
    apps: { app_id: string; title: string | null; is_own: boolean; history: Day[] }[];
  }[];
};

/** One keyword of one app. A day that was not read has no entry in `history`. */
type RankRow = {
  keyword_id: number;
  keyword: string;
  app: string;
  history: readonly Day[];
};

const noDays = 'no day of this window was read';
const firstOf = ({ history }: RankRow) => history[0];
const lastOf = ({ history }: RankRow) => history.at(-1);

function rankNote(row: RankRow, day: Day | undefined): string | null {
  if (row.history.length === 0) return noDays;
  return day?.rank === null ? 'not ranked on that day' : null;
}

const keywordColumns: Column<RankRow>[] = [
  { title: 'id', value: (row) => row.keyword_id },
  { title: 'keyword', value: (row) => row.keyword, isLong: true },
];
const appColumn: Column<RankRow> = { title: 'app', value: (row) => row.app, isLong: true };
const rankColumns: Column<RankRow>[] = [
  { title: 'from', value: (row) => firstOf(row)?.date ?? null },
  {
    title: 'first',
    value: (row) => firstOf(row)?.rank ?? null,
    note: (row) => rankNote(row, firstOf(row)),
  },
  { title: 'to', value: (row) => lastOf(row)?.date ?? null },
  { title: 'last', value: (row) => lastOf(row)?.rank ?? null, note: (row) => rankNote(row, lastOf(row)) },
  { title: 'change', value: changeOf },
  { title: 'best', value: bestOf },
  { title: 'days read', value: (row) => row.history.length },
];

/** Positive is up; null unless both days are ranked. */
function changeOf(row: RankRow): number | null {
  const [first, last] = [firstOf(row)?.rank ?? null, lastOf(row)?.rank ?? null];
  return first === null || last === null ? null : first - last;
}

function bestOf({ history }: RankRow): number | null {
  const ranks = history.flatMap(({ rank }) => (rank === null ? [] : [rank]));
  return ranks.length === 0 ? null : Math.min(...ranks);
}

/** The largest page of the API. */
const mostPerPage = 100;

const options = {
  'keyword-ids': { value: 'IDS', parameter: 'keyword_ids', text: 'only these keywords: ids with commas' },
  from: { value: 'DAY', parameter: 'from', text: 'first day, YYYY-MM-DD; default: 30 days ago' },
  to: { value: 'DAY', parameter: 'to', text: 'last day; default: today' },
  competitors: { parameter: 'competitors', text: 'also the ranks of the competitors' },
  ...pageOptions,
} as const;

/** Shows how ranks moved. */
export const ranks = defineCommand({
  name: 'ranks',
  summary: 'Show how the ranks of an app moved',
  words: ['APP'],
  endpoint: endpoints.listRankHistories,
  options,
  details:
    'The table compares the first and the last day of the window that were read; change is positive when the rank is better. A day that was not read is left out. --csv has every day.',
  example: 'ranks 1 --from 2026-11-01',
  async run(run, values, [app = '']) {
    const columns = [...keywordColumns, ...(values.competitors ? [appColumn] : []), ...rankColumns];
    await printPages<RankHistories, RankRow>(run, {
      endpoint: endpoints.listRankHistories,
      params: { id: app },
      query: toQuery(options, values),
      pages: { perPage: mostPerPage, isAll: values.all === true },
      columns,
      toRows: ({ keywords }) =>
        keywords.flatMap(({ apps, ...keyword }) =>
          apps.map(({ app_id: id, title, history }) => ({ ...keyword, app: title ?? id, history })),
        ),
      explainEmpty: () => 'The app has no keywords on this page.',
    });
    return exitCodes.ok;
  },
});
