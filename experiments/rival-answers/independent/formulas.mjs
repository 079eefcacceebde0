/** The formulas of docs/scores.md that answers about rivals use, and days. Written again: nothing here is shared with the product. */

/** @param traffic 0 to 100 */
export const volume = (traffic) => Math.exp(0.0615 * traffic);

const clicksOnTen = [0.3, 0.18, 0.12, 0.085, 0.06, 0.045, 0.033, 0.025, 0.019, 0.013];

/** @param rank from 1; null: not ranked */
export function clickShare(rank) {
  if (rank === null || rank > 100) return 0;
  return rank <= 10 ? clicksOnTen[rank - 1] : 0.013 * (10 / rank) ** 1.5;
}

/** Halves upwards; null stays. The tiny addition is for halves that floating point has lost. */
export const round = (value, digits) =>
  value === null ? null : Math.floor(value * 10 ** digits + 0.5 + 1e-9) / 10 ** digits;

/** KEI of a stored score, one decimal; null: an input is unknown. */
export function keiOf(score) {
  if (score == null || score.traffic === null || score.difficulty === null || score.results === null)
    return null;
  const demand = Math.log10(1 + Math.max(0, score.traffic - 5)) / Math.log10(96);
  const plain = 100 * demand * (1 - score.difficulty / 100) * Math.min(1, score.results / 5);
  const isSearched = ['searched', 'ungraded'].includes(score.search_status);
  return round(Math.min(plain, score.brand === null ? 100 : 39.9, isSearched ? 100 : 19.9), 1);
}

/** The rank of an app, from 1; null: not among these ids. */
export const rankIn = (ids, appId) => (ids.includes(appId) ? ids.indexOf(appId) + 1 : null);

/** Days are YYYY-MM-DD, UTC. */
export const addDays = (day, count) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

export const mondayOf = (day) => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** Both ends included. */
export function daysFrom(from, to) {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The mean of the two middle values where their number is even; null of none. */
export function medianOf(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/**
 * Rows in the order of a list: by a value, null last in either direction, equal ones by keyword.
 * @param sort a field, with a leading - from the highest
 * @param readers what a row is ordered by, by field
 */
export function inOrder(rows, sort, readers) {
  const isDescending = sort.startsWith('-');
  const read = readers[sort.replace('-', '')];
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [value, otherValue] = [read(one), read(other)];
    if (value === otherValue) return one.keyword < other.keyword ? -1 : 1;
    if (value === null || otherValue === null) return value === null ? 1 : -1;
    return direction * (value < otherValue ? -1 : 1);
  });
}

/** One page of a list, with what its meta says about pages. */
export function pageOf(rows, { page = 1, per_page: perPage }) {
  const pages = Math.ceil(rows.length / perPage);
  return {
    data: rows.slice((page - 1) * perPage, page * perPage),
    meta: { total: rows.length, page, per_page: perPage, total_pages: pages, has_more: page < pages },
  };
}

/** Whether a row passes the filters that all lists share. An unknown score is neither above nor below a limit. */
export const isWithin = ({ search, min_traffic: least, max_difficulty: most }) =>
  function isListed({ keyword, traffic_score: traffic, difficulty_score: difficulty }) {
    if (search && !keyword.toUpperCase().includes(search.toUpperCase())) return false;
    if (least !== undefined && (traffic === null || traffic < least)) return false;
    return most === undefined || (difficulty !== null && difficulty <= most);
  };
