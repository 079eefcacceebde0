import { z } from 'zod';
import { csvOfList } from './csv-table.ts';
import { integerParameterWithDefault } from './fields.ts';
import * as shapes from './shapes.ts';

/** The maximum number of rows on a page. */
const maxHistoryRows = 200;

/** The query parameters of a page. */
export const historyPageFields = {
  page: integerParameterWithDefault('Page number, from 1.', shapes.maxPage, 1),
  per_page: integerParameterWithDefault(`Rows per page, at most ${maxHistoryRows}.`, maxHistoryRows, 50),
};

/** What all lists of an account's history share: pages of rows, newest first, also as CSV. */
export function historyList<Row extends z.ZodObject>(row: Row) {
  return {
    method: 'get',
    deadlineMs: 5000,
    query: z.object(historyPageFields),
    data: z.array(row).max(maxHistoryRows),
    csv: csvOfList(row),
    meta: shapes.paginationMeta,
  } as const;
}
