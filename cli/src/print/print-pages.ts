import type { Answer, Input, Meta } from '../api/create-api.ts';
import type { Endpoint } from '../api/endpoints.ts';
import type { CommandRun } from '../commands/define-command.ts';
import { type Column, formatTable } from './format-table.ts';
import { printWarnings } from './print-warnings.ts';

type List<Data, Row> = {
  endpoint: Endpoint;
  params?: NonNullable<Input['params']>;
  query: Readonly<Record<string, string>>;
  /** Reads all pages with the largest `per_page`; null: one page, or a list without pages. */
  all: { perPage: number } | null;
  columns: readonly Column<Row>[];
  toRows(data: Data, meta: Meta): readonly Row[];
  /** A sentence for a list without rows. */
  explainEmpty(meta: Meta): string;
  /** More sentences about the list. */
  explainMore?(meta: Meta): string[];
};

/** Prints a list: as a table, or each page as the API sends it. A CSV of several pages has one header. */
export async function printPages<Data, Row>(run: CommandRun, list: List<Data, Row>): Promise<void> {
  if (run.format === 'csv') return printCsvPages(run, list);
  const rows: Row[] = [];
  let last: Answer<Data> | null = null;
  for (const page of eachPage(list)) {
    const answer: Answer<Data> = await run.api.call<Data>(list.endpoint, page.request);
    page.hasMore = answer.meta.has_more === true;
    last = answer;
    if (run.format === 'json') await run.printJson(answer.text);
    else rows.push(...list.toRows(answer.data, answer.meta));
    if (list.all && run.format === 'table') run.progress(`${rows.length} of ${answer.meta.total} rows`);
  }
  if (last === null || run.format === 'json') return;
  if (rows.length > 0) await run.print(formatTable(list.columns, rows, run.width));
  else run.note(list.explainEmpty(last.meta));
  for (const sentence of list.explainMore?.(last.meta) ?? []) run.note(sentence);
  printWarnings(run, last.meta);
  const { has_more: hasMore, total } = last.meta;
  if (hasMore === true) run.note(`${rows.length} of ${total} rows. All: --all`);
}

type Page = { request: Input; hasMore: boolean };

/** The requests of the pages. Whether another one follows is set by whoever has read the page. */
function* eachPage<Data, Row>({ params = {}, query, all }: List<Data, Row>): Generator<Page> {
  const first: Record<string, string> = all ? { page: '1', per_page: String(all.perPage), ...query } : query;
  const page: Page = { request: { params, query: first }, hasMore: false };
  yield page;
  for (let number = Number(first.page) + 1; all && page.hasMore; number++) {
    page.request = { params, query: { ...first, page: String(number) } };
    yield page;
  }
}

async function printCsvPages<Data, Row>(run: CommandRun, list: List<Data, Row>): Promise<void> {
  let isFirst = true;
  for (const page of eachPage(list)) {
    const { text, hasMore, total } = await run.api.callCsv(list.endpoint, page.request);
    page.hasMore = hasMore;
    const body = isFirst ? text : text.slice(text.indexOf('\n') + 1);
    isFirst = false;
    if (body !== '') await run.printCsv(body);
    if (hasMore && !list.all) run.note(`There are more rows${total === null ? '' : ` (${total})`}. All: --all`);
  }
}
