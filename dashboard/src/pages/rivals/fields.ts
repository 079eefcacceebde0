/** What the address says of the page; empty: everything, in the order of the answer. */
export const firstFields = {
  days: '7',
  page: '1',
  rivals: '',
  q: '',
  lead: '',
  rank: '',
  moved: '',
  sort: '',
};

export type Fields = typeof firstFields;
