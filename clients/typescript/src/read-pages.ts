import type { Answer, CallOptions, Operation } from './operation.ts';
import type { Input, Send } from './send.ts';

type Page = Answer<unknown, Readonly<Record<string, unknown>>>;
type Row = { id?: unknown };

/**
 * The pages of a list, each read when it is asked for. With a cursor they go on after the last row seen, so rows that arrive
 * meanwhile are neither missed nor repeated.
 */
export async function* readPages(
  send: Send,
  operation: Operation,
  input: Input,
  options?: CallOptions,
): AsyncGenerator<Page, void, undefined> {
  const { cursor = null } = operation.rows ?? {};
  let next: Input = { ...input, page: input.page ?? 1 };
  for (;;) {
    const page = await send(operation, next, options);
    yield page;
    const rows = rowsOf(operation, page);
    // A list that became shorter meanwhile ends with an empty page.
    if (page.meta.has_more !== true || rows.length === 0) return;
    next =
      cursor !== null && next[cursor] !== undefined
        ? { ...next, [cursor]: rows.at(-1)?.id, page: 1 }
        : { ...next, page: Number(next.page) + 1 };
  }
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
