/** The options of lists with pages. */
export const pageOptions = {
  page: { value: 'N', parameter: 'page', text: 'page number, from 1' },
  'per-page': { value: 'N', parameter: 'per_page', text: 'rows per page' },
  all: { text: 'all pages, one after another' },
} as const;
