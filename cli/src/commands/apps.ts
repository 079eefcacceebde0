import { ApiError } from '../api/api-error.ts';
import { endpoints } from '../api/endpoints.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Column } from '../print/format-table.ts';
import { printPages } from '../print/print-pages.ts';
import { toDay } from '../print/print-warnings.ts';
import { type CommandRun, defineCommand, toQuery } from './define-command.ts';
import { storefrontOptions } from './storefront-options.ts';

type AppRow = {
  id: number;
  app_id: string;
  title: string | null;
  store: string;
  country: string;
  lang: string;
  score: number | null;
  ratings: number | null;
  keyword_count: number;
  aso_health: { global: number; tier_label: string; computed_at: string } | null;
  unlisted_since: string | null;
};

const columns: Column<AppRow>[] = [
  { title: 'id', value: (row) => row.id },
  {
    title: 'title',
    value: (row) => row.title,
    isLong: true,
    note: (row) => (row.title === null ? 'the page of the store could not be read' : null),
  },
  { title: 'store', value: (row) => row.store },
  { title: 'country', value: (row) => row.country },
  { title: 'lang', value: (row) => row.lang },
  { title: 'keywords', value: (row) => row.keyword_count },
  {
    title: 'rating',
    value: (row) => row.score,
    note: (row) => (row.score === null ? 'no ratings, or not shown by the store' : null),
  },
  {
    title: 'ratings',
    value: (row) => row.ratings,
    note: (row) => (row.ratings === null ? 'not shown by the store' : null),
  },
  {
    title: 'health',
    value: (row) => row.aso_health?.global ?? null,
    note: (row) => (row.aso_health === null ? 'not enough of its words are read yet' : null),
  },
  { title: 'tier', value: (row) => row.aso_health?.tier_label ?? null },
  {
    title: 'audited',
    value: (row) => row.aso_health && toDay(row.aso_health.computed_at),
    note: (row) => row.unlisted_since && `not in the store since ${toDay(row.unlisted_since)}`,
  },
];

const options = {
  app: { value: 'APP', parameter: 'app_id', text: 'only the app with this id' },
  add: { value: 'STORE_ID', text: 'track this app of --store, --country and --lang' },
  ...storefrontOptions,
} as const;

/** Lists the tracked apps, or tracks another one. */
export const apps = defineCommand({
  name: 'apps',
  summary: 'List the tracked apps, or track another one',
  words: [],
  endpoint: endpoints.listApplications,
  options,
  details: 'The id in the first column is APP in other commands.',
  example: 'apps',
  async run(run, { add, ...values }) {
    const { store, country, lang } = values;
    if (add !== undefined) return addApp(run, { app_id: add, store, country, lang });
    if (store ?? country ?? lang)
      throw new CliError(exitCodes.usage, '--store, --country and --lang belong to --add.');
    await printPages<AppRow[], AppRow>(run, {
      endpoint: endpoints.listApplications,
      query: toQuery(options, values),
      pages: null,
      columns,
      toRows: (data) => data,
      explainEmpty: () =>
        'No apps are tracked. Track one, such as: shelfwise apps --add 1234567890 --store ITUNES --country US --lang en-US',
    });
    return exitCodes.ok;
  },
});

async function addApp(run: CommandRun, body: Readonly<Record<string, string | undefined>>) {
  type Added = { id: number; app: { id: string; title: string | null } };
  if (run.format === 'csv') throw new CliError(exitCodes.usage, '--add has no CSV.');
  const { text, data } = await run.api
    .call<Added>(endpoints.trackApplication, { body })
    .catch((error: unknown) => {
      // Here it is the store that has no such app: the list of tracked apps, which the advice names, is no help.
      if (!(error instanceof ApiError) || error.code !== 'APP_NOT_FOUND') throw error;
      throw new CliError(exitCodes.apiError, `${error.code}: ${error.message}`);
    });
  if (run.format === 'json') await run.printJson(text);
  else await run.print(`App ${data.id}: ${data.app.title ?? data.app.id}`);
  return exitCodes.ok;
}
