import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Column } from '../print/format-table.ts';
import { printPages } from '../print/print-pages.ts';
import { type RankAge, readOn, type ScoredRow, scoreColumns, scoreNote } from '../print/rank-columns.ts';
import { defineCommand, toQuery } from './define-command.ts';
import { pageOptions } from './page-options.ts';

type GapRow = RankAge &
  ScoredRow & {
    keyword: string;
    kei: number | null;
    relevance: number | null;
    own_rank: number | null;
    rivals: { app_id: string; title: string | null; rank: number }[];
    is_tracked: boolean;
    depth: number;
    value: number | null;
  };

const columns: Column<GapRow>[] = [
  { title: 'keyword', value: (row) => row.keyword, isLong: true },
  {
    title: 'value',
    value: (row) => row.value,
    note: (row) => (row.value === null ? 'KEI or relevance is not known yet' : null),
  },
  ...scoreColumns,
  { title: 'KEI', value: (row) => row.kei, note: (row) => scoreNote(row.kei) },
  {
    title: 'own rank',
    value: (row) => row.own_rank,
    note: (row) => (row.own_rank === null ? `not among the ${row.depth} results that were read` : null),
  },
  {
    title: 'best competitor',
    value: ({ rivals: [best] }) => (best ? `${best.rank}: ${best.title ?? best.app_id}` : null),
    isLong: true,
  },
  { title: 'tracked', value: (row) => row.is_tracked },
  { title: 'read on', value: readOn },
];

const reasons: Readonly<Record<string, string>> = {
  no_competitors: 'The app has no competitors.',
  no_pages: 'No competitor ranks well enough on a result page that is kept.',
  too_shallow: 'No page was read deep enough to show a gap: lower --own-min-rank.',
  no_gap: 'On the pages that are kept, the app ranks better.',
  filtered: 'All that was found is left out by the options.',
};

/** The largest page of the API. */
const mostPerPage = 1000;

const options = {
  'competitor-ids': {
    value: 'IDS',
    parameter: 'competitor_ids',
    text: 'only these competitors: up to 5 ids with commas',
  },
  'rival-max-rank': {
    value: 'N',
    parameter: 'rival_max_rank',
    text: 'the worst rank at which a competitor counts; default: 10',
  },
  'own-min-rank': {
    value: 'N',
    parameter: 'own_min_rank',
    text: 'the best rank of the app that is a gap; default: 31',
  },
  'min-traffic': {
    value: 'N',
    parameter: 'min_traffic',
    text: 'only with at least this traffic; default: 5',
  },
  'max-difficulty': { value: 'N', parameter: 'max_difficulty', text: 'only with at most this difficulty' },
  'include-brands': { parameter: 'include_brands', text: 'also terms that name the brand of another' },
  tracked: {
    value: 'WHICH',
    choices: ['all', 'yes', 'no'],
    parameter: 'tracked',
    text: 'only terms that are tracked, or not',
  },
  sort: {
    value: 'ORDER',
    choices: ['value', 'traffic', 'difficulty', 'kei', 'gain', 'rank', 'keyword'].flatMap((name) => [
      name,
      `-${name}`,
    ]),
    parameter: 'sort',
    text: 'order; a leading - is from the highest',
  },
  search: { value: 'TEXT', parameter: 'search', text: 'only keywords with this text' },
  ...pageOptions,
} as const;

/** Lists terms for which competitors rank and the app does not. */
export const gap = defineCommand({
  name: 'gap',
  summary: 'List the terms for which competitors rank and the app does not',
  words: ['APP'],
  endpoint: endpoints.listKeywordGap,
  options,
  details:
    'The most valuable comes first. Only result pages that are kept are looked at; no store is called.',
  example: 'gap 1 --own-min-rank 2',
  async run(run, values, [app = '']) {
    await printPages<GapRow[], GapRow>(run, {
      endpoint: endpoints.listKeywordGap,
      params: { id: app },
      query: toQuery(options, values),
      pages: { perPage: mostPerPage, isAll: values.all === true },
      columns,
      toRows: (data) => data,
      explainEmpty: ({ reason }) => reasons[String(reason)] ?? 'There are no such terms.',
      explainMore(meta) {
        const { unread, truncated } = meta as { unread?: number; truncated?: boolean };
        return [
          ...(unread
            ? [`${unread} terms could not be judged: their pages are not read, or not deep enough.`]
            : []),
          ...(truncated ? ['There are more pages than the 2,000 that were looked at.'] : []),
        ];
      },
    });
    return exitCodes.ok;
  },
});
