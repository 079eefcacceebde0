import type { Answer, Input, Meta } from '../api/create-api.ts';
import type { Endpoint } from '../api/endpoints.ts';
import type { CommandRun } from '../commands/define-command.ts';
import { type Column, formatTable } from './format-table.ts';
import { printWarnings } from './print-warnings.ts';

type List<Data, Row> = {
  endpoint: Endpoint;
  params?: NonNullable<Input['params']>;
  query: Readonly<Record<string, string>>;
  /** `perPage`: the largest that the API takes. `isAll`: all pages are wanted. Null: the list has no pages. */
  pages: { perPage: number; isAll: boolean } | null;
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
    if (list.pages?.isAll && run.format === 'table')
      run.progress(`${rows.length} of ${answer.meta.total} rows`);
  }
  if (last === null || run.format === 'json') return;
  if (rows.length > 0) await run.print(formatTable(list.columns, rows, run.width));
  else run.note(list.explainEmpty(last.meta));
  for (const sentence of list.explainMore?.(last.meta) ?? []) run.note(sentence);
  printWarnings(run, last.meta);
  if (last.meta.has_more === true) run.note(explainCut(list, `${rows.length} of ${last.meta.total} rows.`));
}

type Page = { request: Input; hasMore: boolean };

/** The requests of the pages. The reader of a page sets whether another one follows. */
function* eachPage<Data, Row>({ params = {}, query, pages }: List<Data, Row>): Generator<Page> {
  const isAll = pages?.isAll === true;
  const first = isAll ? { page: '1', per_page: String(pages.perPage), ...query } : query;
  const page: Page = { request: { params, query: first }, hasMore: false };
  yield page;
  for (let number = Number(first.page) + 1; isAll && page.hasMore; number++) {
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
    if (hasMore && !list.pages?.isAll)
      run.note(explainCut(list, `There are more rows${total === null ? '' : `, ${total} in all`}.`));
  }
}

function explainCut<Data, Row>({ pages }: List<Data, Row>, sentence: string): string {
  return pages === null ? sentence : `${sentence} All of them: --all`;
}
