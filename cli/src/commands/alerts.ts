import { endpoints } from '../api/endpoints.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Column } from '../print/format-table.ts';
import { printPages } from '../print/print-pages.ts';
import { defineCommand, toQuery } from './define-command.ts';
import { pageOptions } from './page-options.ts';

type AlertRow = {
  id: number;
  kind: string;
  at: string;
  app: { id: number } | null;
  evidence: { is_confirmed: boolean | null };
  text: string;
};

const columns: Column<AlertRow>[] = [
  { title: 'id', value: (row) => row.id },
  { title: 'at (UTC)', value: (row) => row.at.slice(0, 16).replace('T', ' ') },
  {
    title: 'kind',
    value: (row) => row.kind,
    note: (row) =>
      row.evidence.is_confirmed === false ? 'not confirmed: the page was read once only' : null,
  },
  { title: 'app', value: (row) => row.app?.id ?? null },
  { title: 'what', value: (row) => row.text },
];

/** The largest page of the API. */
const mostPerPage = 200;

const options = {
  since: {
    value: 'ID',
    parameter: 'since',
    text: 'only alerts after this id, oldest first; 0: from the first one that is kept on',
  },
  kind: { value: 'KIND', parameter: 'kind', text: 'only alerts of this kind, such as rank_drop' },
  app: { value: 'APP', parameter: 'app_id', text: 'only alerts of this app' },
  ...pageOptions,
} as const;

/** Lists alerts. */
export const alerts = defineCommand({
  name: 'alerts',
  summary: 'List the alerts',
  words: [],
  endpoint: endpoints.listAlerts,
  options,
  details:
    'Newest first; with --since oldest first. A script that remembers the last id and sends it with --since misses none. In the column app, – is an alert about a store, a channel or the quota.',
  example: 'alerts --since 0 --all',
  async run(run, values) {
    await printPages<AlertRow[], AlertRow>(run, {
      endpoint: endpoints.listAlerts,
      query: toQuery(options, values),
      pages: { perPage: mostPerPage, isAll: values.all === true },
      columns,
      toRows: (data) => data,
      explainEmpty: () => 'There are no such alerts.',
    });
    return exitCodes.ok;
  },
});
