import type { Answer, CallOptions, Operation } from './operation.ts';
import type { Input, Send } from './send.ts';

type Page = Answer<unknown, Readonly<Record<string, unknown>>>;
type Row = { id?: unknown };

/** A way out, should a list never end. */
const mostPages = 10_000;

/**
 * The pages of a list, each read when it is asked for. With a cursor they go on after the last row seen, so rows that arrive
 * meanwhile are neither missed nor repeated. A page that is the one before again ends them.
 * @throws RangeError after 10,000 pages
 */
export async function* readPages(
  send: Send,
  operation: Operation,
  input: Input,
  options?: CallOptions,
): AsyncGenerator<Page, void, undefined> {
  const { cursor = null } = operation.rows ?? {};
  let next: Input = { ...input, page: input.page ?? 1 };
  let before = '';
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await send(operation, next, options);
    const rows = rowsOf(operation, page);
    // As it was sent: the caller may change what it gets.
    const sent = JSON.stringify(rows);
    if (rows.length > 0 && sent === before) return;
    before = sent;
    const lastId = rows.at(-1)?.id;
    yield page;
    // A list that became shorter meanwhile ends with an empty page.
    if (page.meta.has_more !== true || sent === '[]') return;
    if (cursor === null || next[cursor] == null) next = { ...next, page: Number(next.page) + 1 };
    else if (Number(lastId) > Number(next[cursor])) next = { ...next, [cursor]: lastId, page: 1 };
    else return;
  }
  throw new RangeError(`The list has more than ${mostPages} pages: send a larger per_page.`);
}

export async function* readRows(
  send: Send,
  operation: Operation,
  input: Input,
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  for await (const page of readPages(send, operation, input, options)) yield* rowsOf(operation, page);
}

function rowsOf({ rows }: Operation, { data }: Page): readonly Row[] {
  const { field = null } = rows ?? {};
  return (field === null ? data : (data as Record<string, unknown>)[field]) as readonly Row[];
}
