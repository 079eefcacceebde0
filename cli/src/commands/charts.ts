import { endpoints } from '../api/endpoints.ts';
import { CliError } from '../cli-error.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Column, formatTable } from '../print/format-table.ts';
import { type CommandRun, defineCommand, toQuery } from './define-command.ts';
import { storefrontOptions } from './storefront-options.ts';

type ChartRow = {
  rank: number;
  app_id: string;
  title: string | null;
  developer: string | null;
  rating: number | null;
  price: number | null;
  currency: string | null;
  delta: number;
  is_new: boolean;
};

type Chart = { snapshot_date: string; total_count: number; rows: ChartRow[] };

const unreadable = 'could not be read on the page of the store';

const columns: Column<ChartRow>[] = [
  { title: 'rank', value: (row) => row.rank },
  { title: 'change', value: (row) => (row.is_new ? 'new' : String(row.delta)) },
  { title: 'app id', value: (row) => row.app_id },
  {
    title: 'title',
    value: (row) => row.title,
    isLong: true,
    note: (row) => (row.title === null ? unreadable : null),
  },
  {
    title: 'developer',
    value: (row) => row.developer,
    isLong: true,
    note: (row) => (row.developer === null ? unreadable : null),
  },
  {
    title: 'rating',
    value: (row) => row.rating,
    note: (row) => (row.rating === null ? 'no ratings, or not shown by the store' : null),
  },
  {
    title: 'price',
    value: (row) => (row.price === 0 ? 'free' : row.price && `${row.price} ${row.currency ?? ''}`.trim()),
    note: (row) => (row.price === null ? 'not shown by the store' : null),
  },
];

type Categories = {
  collections: string[];
  categories: Readonly<Record<string, { key: string; label: string }[]>>;
};

type CategoryRow = { store: string; key: string; label: string };

const categoryColumns: Column<CategoryRow>[] = [
  { title: 'store', value: (row) => row.store },
  { title: 'category', value: (row) => row.key },
  { title: 'name', value: (row) => row.label },
];

const { store, country } = storefrontOptions;

const options = {
  store,
  country,
  category: { value: 'KEY', parameter: 'category', text: 'a key of --categories; default: OVERALL' },
  collection: {
    value: 'NAME',
    choices: ['free', 'paid', 'grossing'],
    parameter: 'collection',
    text: 'which chart; default: free',
  },
  limit: { value: 'N', parameter: 'limit', text: 'number of rows, at most 200; default: 100' },
  categories: { text: 'list the categories instead' },
} as const;

/** Shows a top chart. */
export const charts = defineCommand({
  name: 'charts',
  summary: 'Show a top chart of today',
  words: [],
  endpoint: endpoints.getTopChart,
  options,
  details:
    'Spends one API request. The change is the ranks gained since the day before; it is 0 also when that day was not read.',
  example: 'charts --store ITUNES --country US --limit 5',
  async run(run, { categories, ...values }) {
    if (categories) return printCategories(run, values.store);
    const query = toQuery(options, values);
    if (run.format === 'csv') {
      await run.printCsv((await run.api.callCsv(endpoints.getTopChart, { query })).text);
      return exitCodes.ok;
    }
    const { text, data } = await run.api.call<Chart>(endpoints.getTopChart, { query });
    if (run.format === 'json') await run.printJson(text);
    else if (data.rows.length > 0) await run.print(formatTable(columns, data.rows, run.width));
    if (run.format === 'table')
      run.note(`${data.rows.length} of ${data.total_count} rows; read on ${data.snapshot_date}.`);
    return exitCodes.ok;
  },
});

async function printCategories(run: CommandRun, only: string | undefined): Promise<ExitCode> {
  if (run.format === 'csv') throw new CliError(exitCodes.usage, '--categories has no CSV.');
  const query: Record<string, string> = only === undefined ? {} : { store: only };
  const { text, data } = await run.api.call<Categories>(endpoints.listChartCategories, { query });
  const rows = Object.entries(data.categories).flatMap(([name, list]) =>
    list.map((category) => ({ store: name, ...category })),
  );
  if (run.format === 'json') await run.printJson(text);
  else await run.print(formatTable(categoryColumns, rows, run.width));
  return exitCodes.ok;
}
