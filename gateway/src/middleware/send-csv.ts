import type { Request, Response } from 'express';
import { toCsvChunks } from '../http/csv.ts';
import type { CsvTable } from '../routes/route/csv-table.ts';
import type { Route } from '../routes/route/define-route.ts';
import { requireFromContext } from './request-context.ts';

/** Excel reads a CSV without it in the encoding of its country. */
const byteOrderMark = '\ufeff';

/**
 * Answers with CSV, piece by piece: the next one is made when the client has taken the last one. Ends early, without an
 * error, when the client disconnects. `meta` is not in the CSV: its total and the next page are in headers.
 */
export async function sendCsv(
  response: Response,
  route: Pick<Route, 'query'>,
  { table, data, meta }: { table: CsvTable<unknown>; data: unknown; meta: unknown },
): Promise<void> {
  const chunks = toCsvChunks(table.columns, table.readRows(data));
  // The first piece comes before the headers: when it fails, the answer is an error in JSON.
  let next = chunks.next();
  if (requireFromContext(response, 'input').query.bom === true && !next.done)
    next.value = byteOrderMark + next.value;
  response.type('text/csv; charset=utf-8').set(toPagingHeaders(response.req, route, { meta, data }));
  while (!next.done) {
    if (response.destroyed || response.closed) return;
    if (!response.write(next.value)) await drained(response);
    next = chunks.next();
  }
  response.end();
}

/** Resolves when the client has taken what was written, or has disconnected. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.once('drain', settle).once('close', settle);
    if (response.destroyed || response.closed) settle();
  });
}

/** A list without paging that is cut goes on with the second page of the same size. */
function toPagingHeaders(
  request: Request,
  { query }: Pick<Route, 'query'>,
  { meta, data }: { meta: unknown; data: unknown },
) {
  const { total, page, has_more: hasMore } = (meta ?? {}) as Record<string, unknown>;
  const headers: Record<string, string> = {};
  if (typeof total === 'number') headers['X-Total-Count'] = String(total);
  const next = findNextPage(page, data);
  if (hasMore === true && 'page' in query.shape && next)
    headers.Link = `<${toQuery(request, Object.keys(query.shape), next)}>; rel="next"`;
  return headers;
}

function findNextPage(page: unknown, data: unknown): Record<string, number> | null {
  if (typeof page === 'number') return { page: page + 1 };
  return Array.isArray(data) ? { per_page: data.length, page: 2 } : null;
}

/** The query of another page, relative to this one, with the endpoint's own parameters: never with the key. */
function toQuery({ query }: Request, names: readonly string[], next: Record<string, number>): string {
  const sent = names.flatMap((name): [string, string][] => {
    const value = query[name];
    return !(name in next) && typeof value === 'string' ? [[name, value]] : [];
  });
  const changed = Object.entries(next).map(([name, value]): [string, string] => [name, String(value)]);
  return `?${new URLSearchParams([...sent, ...changed])}`;
}
