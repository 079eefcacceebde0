/**
 * What the address says of the page. Empty: everything, in the order of the answer. Of terms that are not tracked, 20 ranks are known:
 * with a higher `own_min_rank` the gap has none of them.
 */
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
  own_min_rank: '11',
  min_traffic: '5',
  gap_sort: '',
};

export type Fields = typeof firstFields;

/** The least and the most of each limit of the gap, as the API takes them. */
export const gapLimits = {
  rival_max_rank: [1, 30],
  own_min_rank: [1, 100],
  min_traffic: [0, 100],
} as const satisfies Partial<Record<keyof Fields, readonly [number, number]>>;
