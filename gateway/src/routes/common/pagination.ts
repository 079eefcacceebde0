/** The meta of a list that pages. */
export function paginationOf(total: number, page: number, perPage: number) {
  const totalPages = Math.ceil(total / perPage);
  return { total, page, per_page: perPage, total_pages: totalPages, has_more: page < totalPages };
}
