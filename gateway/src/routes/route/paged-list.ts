import { z } from 'zod';
import * as shapes from '../shapes/shapes.ts';
import { type CsvTable, csvOfList } from './csv-table.ts';
import { integerParameterWithDefault } from './fields.ts';

/** The maximum number of rows on a page. */
export const maxPageRows = 200;

/** The query parameters of a page. */
export const pageFields = {
  page: integerParameterWithDefault('Page number, from 1.', shapes.maxPage, 1),
  per_page: integerParameterWithDefault(`Rows per page, at most ${maxPageRows}.`, maxPageRows, 50),
};

/** What lists with pages share. They are also CSV. @param csv for rows with fields that have no form in it */
export function pagedList<Row extends z.ZodObject>(
  row: Row,
  csv: CsvTable<z.output<Row>[]> = csvOfList(row),
) {
  return {
    method: 'get',
    deadlineMs: 5000,
    query: z.object(pageFields),
    data: z.array(row).max(maxPageRows),
    csv,
    meta: shapes.paginationMeta,
  } as const;
}
