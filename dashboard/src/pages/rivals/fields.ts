/** What the address says of the page. Empty: everything, in the order of the answer. The limits of the gap are those of the API. */
export const firstFields = {
  days: '7',
  page: '1',
  rivals: '',
  q: '',
  lead: '',
  rank: '',
  moved: '',
  sort: '',
  rival_max_rank: '10',
  own_min_rank: '31',
  min_traffic: '5',
  gap_sort: '',
};

export type Fields = typeof firstFields;
