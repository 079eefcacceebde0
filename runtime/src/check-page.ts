import { checkInteger } from './check-request.ts';

const maxPage = 1_000_000;
const maxPerPage = 200;

/** The rows of one page of a history. @throws INVALID_PARAMS */
export function checkPage({ page, per_page: perPage }: { page: number; per_page: number }): {
  skip: number;
  limit: number;
} {
  const limit = checkInteger('per_page', perPage, 1, maxPerPage);
  return { skip: (checkInteger('page', page, 1, maxPage) - 1) * limit, limit };
}
