import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Column } from '../print/format-table.ts';
import { printPages } from '../print/print-pages.ts';
import { type RankAge, readOn, type ScoredRow, scoreColumns, scoreNote } from '../print/rank-columns.ts';
import { defineCommand, toQuery } from './define-command.ts';
import { pageOptions } from './page-options.ts';

type KeywordRow = RankAge &
  ScoredRow & {
    keyword_id: number;
    keyword: string;
    app_id: number;
    current_rank: number | null;
    result_count: number;
    kei_score: number | null;
    is_favorite: boolean;
    delta?: number | null;
  };

const columns: Column<KeywordRow>[] = [
  { title: 'id', value: (row) => row.keyword_id },
  { title: 'app', value: (row) => row.app_id },
  { title: 'keyword', value: (row) => (row.is_favorite ? `${row.keyword} ★` : row.keyword), isLong: true },
  {
    title: 'rank',
    value: (row) => row.current_rank,
    note(row) {
      if (row.current_rank !== null) return null;
      return row.result_count === 0
        ? 'the store shows no results'
        : `not among the ${row.result_count} results`;
    },
  },
  { title: 'read on', value: readOn },
  ...scoreColumns,
  { title: 'KEI', value: (row) => row.kei_score, note: (row) => scoreNote(row.kei_score) },
];

/** Only there with an order by it. */
const deltaColumn: Column<KeywordRow> = {
  title: 'change',
  value: (row) => row.delta ?? null,
  note: (row) => (row.delta == null ? 'not ranked on one of the two days, or no day before' : null),
};

/** The largest page of the API. */
const mostPerPage = 1000;

const options = {
  app: { value: 'APP', parameter: 'app_id', text: 'only keywords of this app' },
  favorites: { parameter: 'favorites', text: 'only favorites' },
  sort: {
    value: 'ORDER',
    choices: ['keyword', 'rank', 'traffic', 'difficulty', 'delta'].flatMap((name) => [name, `-${name}`]),
    parameter: 'sort',
    text: 'order; a leading - is from the highest',
  },
  search: { value: 'TEXT', parameter: 'search', text: 'only keywords with this text' },
  'min-traffic': { value: 'N', parameter: 'min_traffic', text: 'only with at least this traffic' },
  'max-difficulty': { value: 'N', parameter: 'max_difficulty', text: 'only with at most this difficulty' },
  ...pageOptions,
} as const;

/** Lists tracked keywords. */
export const keywords = defineCommand({
  name: 'keywords',
  summary: 'List tracked keywords with ranks and scores',
  words: [],
  endpoint: endpoints.listKeywords,
  options,
  example: 'keywords --app 1 --sort=-traffic',
  async run(run, values) {
    const isByDelta = values.sort?.endsWith('delta') === true;
    await printPages<KeywordRow[], KeywordRow>(run, {
      endpoint: endpoints.listKeywords,
      query: toQuery(options, values),
      pages: { perPage: mostPerPage, isAll: values.all === true },
      columns: isByDelta ? [...columns, deltaColumn] : columns,
      toRows: (data) => data,
      explainEmpty: () => 'No keywords match, or none are tracked.',
    });
    return exitCodes.ok;
  },
});
