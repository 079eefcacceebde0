import {
  addDays,
  clickShare,
  inOrder,
  isWithin,
  keiOf,
  mondayOf,
  pageOf,
  rankIn,
  round,
  volume,
} from './formulas.mjs';
import { latestSnapshots, trackedKeywords } from './tracked.mjs';

/** How deep an account sees the pages of terms that it does not track. */
const publicDepth = 20;

/**
 * The kept pages that an account sees in a storefront: tracking's newest snapshot of each keyword that it tracks, and the first 20
 * results of the public page of terms that are public, to the week (`public-pages.mjs` says whether it is the right one).
 * @param owner `listingId`: what it tracks for this listing alone; absent: for any
 * @param at the time of the answer
 */
export function seenTerms(documents, owner, { storefront, at }) {
  const tracked = trackedKeywords(documents, owner, storefront);
  const snapshots = latestSnapshots(documents);
  const terms = documents.terms.filter((term) => isIn(storefront, term));
  const termOf = new Map(terms.map((term) => [term.keyword, term]));
  const own = tracked.flatMap(({ keyword, keyword_id: id }) => {
    const page = snapshots.get(id);
    if (page === undefined) return [];
    const { day, app_ids: ids } = page;
    return [describe(termOf.get(keyword), { keyword, keyword_id: id, day, ids, isCut: false })];
  });
  const isTracked = new Set(tracked.map(({ keyword }) => keyword));
  const others = terms
    .filter(
      ({ keyword, public_until: until, public_page: page }) => until > at && page && !isTracked.has(keyword),
    )
    .map(({ keyword, public_page: { day, first_ids: first, score } }) => {
      const ids = first.slice(0, publicDepth);
      const size = Math.max(first.length, score.results ?? 0);
      const page = { day: mondayOf(day), ids, isCut: size > ids.length };
      const apps = score.genres?.flatMap(({ key, apps: count }) => Array(count).fill({ genre_key: key }));
      return describe({ score, reading: { page: { apps } } }, { keyword, keyword_id: null, ...page });
    });
  return { terms: [...own, ...others], unread: tracked.length - own.length };
}

const isIn = (storefront, row) =>
  row.store === storefront.store && row.country === storefront.country && row.lang === storefront.lang;

/** @param term the stored one, undefined: none */
function describe(term, page) {
  const score = term?.score ?? null;
  return {
    ...page,
    traffic_score: score?.traffic ?? null,
    is_partial: score?.is_partial ?? false,
    difficulty_score: score?.difficulty ?? null,
    kei: keiOf(score),
    score,
    first: term?.reading?.page?.apps?.slice(0, 10) ?? null,
  };
}

/** What rows of both lists say of a term. */
const shownOf = ({ keyword, keyword_id, traffic_score, is_partial, difficulty_score, kei }) => ({
  keyword,
  keyword_id,
  traffic_score,
  is_partial,
  difficulty_score,
  kei,
});

const ageOf = ({ keyword_id: id, day, ids }, today) => ({
  is_tracked: id !== null,
  rank_date: day,
  depth: ids.length,
  stale: id === null ? day <= addDays(today, -14) : day < addDays(today, -1),
});

/** What the meta of both lists says of their pages. */
const keptMeta = (pages, unread) => ({
  pages: pages.length,
  oldest_page: pages.map(({ day }) => day).sort()[0] ?? null,
  unread,
  truncated: false,
  truncated_by: null,
});

/** The terms on whose page an app ranks. */
export function rankedBy({ terms, unread }, appId, query, today) {
  const pages = terms.filter(({ ids }) => ids.includes(appId));
  const all = pages.map((term) => {
    const rank = rankIn(term.ids, appId);
    const value = term.traffic_score === null ? null : volume(term.traffic_score) * clickShare(rank);
    return { ...shownOf(term), rank, ...ageOf(term, today), value };
  });
  const rows = all.filter(isWithin(query)).filter(isOfTracked(query));
  const { data, meta } = pageOf(ordered(rows, query.sort), query);
  return { data: data.map(({ value: _, ...row }) => row), meta: { ...meta, ...keptMeta(pages, unread) } };
}

const isOfTracked =
  ({ tracked = 'all' }) =>
  ({ is_tracked: isTracked }) =>
    tracked === 'all' || isTracked === (tracked === 'yes');

const ordered = (rows, sort = '-value') =>
  inOrder(rows, sort, {
    keyword: ({ keyword }) => keyword,
    traffic: ({ traffic_score: traffic }) => traffic,
    difficulty: ({ difficulty_score: difficulty }) => difficulty,
    kei: ({ kei }) => kei,
    rank: (row) => (row.own_rank === undefined ? row.rank : row.own_rank),
    gain: ({ gain }) => gain,
    value: ({ value }) => value,
  });

/** Pages are found by a rival among their first 30. */
const foundDepth = 30;

/**
 * The terms on whose page a rival ranks at `rival_max_rank` or better, and the app at `own_min_rank` or worse or not at all.
 * @param app `listing` as tracking stores it, `rivals` (listings), `neighbors` of its audit, `words`
 */
export function keywordGap({ terms, unread }, app, query, today) {
  const { rival_max_rank: rivalMax = 10, own_min_rank: ownMin = 31, include_brands: withBrands } = query;
  const { listing, rivals } = app;
  const pages = terms.filter(({ ids }) =>
    rivals.some((rival) => ids.slice(0, foundDepth).includes(rival.app_id)),
  );
  const fitOf = createFits(terms, app);
  let tooShallow = 0;
  const found = [];
  for (const term of pages) {
    const ranked = rivals
      .map(({ app_id, title }) => ({ app_id, title, rank: rankIn(term.ids, app_id) }))
      .filter(({ rank }) => rank !== null && rank <= rivalMax)
      .sort((one, other) => one.rank - other.rank);
    const ownRank = rankIn(term.ids, listing.app_id);
    if (ranked.length === 0 || (ownRank !== null && ownRank < ownMin)) continue;
    if (ownRank === null && term.isCut && term.ids.length < ownMin - 1) tooShallow += 1;
    else found.push({ term, ownRank, ranked });
  }
  const hasRival = pages.some(({ ids }) =>
    rivals.some(({ app_id: id }) => ids.slice(0, rivalMax).includes(id)),
  );
  const rows = found
    .map(({ term, ownRank, ranked }) => {
      const { relevance, gain, isRivalBrand } = fitOf(term);
      const value = term.kei === null || gain === null ? null : round(term.kei * round(gain, 2), 1);
      const fit = { relevance: round(relevance, 2), gain: round(gain, 2), own_rank: ownRank, rivals: ranked };
      return { isRivalBrand, row: { ...shownOf(term), ...fit, ...ageOf(term, today), value } };
    })
    .filter(({ isRivalBrand }) => withBrands || !isRivalBrand)
    .map(({ row }) => row)
    .filter(isWithin({ min_traffic: 5, ...query }))
    .filter(isOfTracked(query));
  const { data, meta } = pageOf(ordered(rows, query.sort), query);
  const reasons = [
    [rows.length > 0, null],
    [rivals.length === 0, 'no_competitors'],
    [found.length > 0, 'filtered'],
    [!hasRival, 'no_pages'],
    [tooShallow > 0, 'too_shallow'],
    [true, 'no_gap'],
  ];
  const reason = reasons.find(([applies]) => applies)[1];
  return { data, meta: { ...meta, ...keptMeta(pages, unread + tooShallow), reason } };
}

/** What a term would be to the app (docs/scores.md, relevance). Relevance and gain are null while it is not read whether it is searched. */
function createFits(seen, { listing, neighbors, words }) {
  const termOf = new Map(seen.map((term) => [term.keyword, term]));
  const saidOf = listing.description === null ? () => null : words.createSaid(listing.description);
  const bestRanks = new Map();
  for (const { keyword, ids } of seen) {
    const rank = rankIn(ids, listing.app_id) ?? Number.POSITIVE_INFINITY;
    const form = words.formOf(keyword);
    bestRanks.set(form, Math.min(rank, bestRanks.get(form) ?? rank));
  }

  const isRead = ({ score }) =>
    score !== null && !score.is_partial && ['searched', 'unsearched'].includes(score.search_status);

  /** `rival`, `suspected`, or null: none of another developer, as far as it is known. */
  function brandOf(term) {
    const named = term?.score?.brand ?? term?.score?.suspected_brand ?? null;
    if (named === null || named.app_id === listing.app_id) return null;
    if (named.developer_name === null || listing.developer_name === null) return null;
    if (named.developer_name.toLowerCase() === listing.developer_name.toLowerCase()) return null;
    return term.score.brand === null ? 'suspected' : 'rival';
  }

  function isRivalsBrand(term) {
    const content = words.contentWordsOf(term.keyword);
    const areRivals = content.length > 0 && content.every((word) => brandOf(termOf.get(word)) === 'rival');
    return brandOf(term) === 'rival' || areRivals;
  }

  return function fitOf(term) {
    const isRivalBrand = isRivalsBrand(term);
    if (!isRead(term)) return { relevance: null, gain: null, isRivalBrand };
    const form = words.formOf(term.keyword);
    const rank = bestRanks.get(form) ?? Number.POSITIVE_INFINITY;
    const isSuspected = brandOf(term) === 'suspected';
    const ten = term.ids.slice(0, 10);
    const near = ten.filter((id) => neighbors.some((one) => one.id === id && one.only_term !== form)).length;
    const known = term.first?.filter(({ genre_key: key }) => key !== null) ?? [];
    const ofGenre = known.filter(({ genre_key: key }) => key === listing.genre_key).length;
    const isKindKnown = ten.length === 0 || (listing.genre_key !== null && known.length > 0);
    const parts = [
      rank <= 100 ? 1 - Math.log10(rank) / 2 : term.isCut ? null : 0,
      isSuspected ? null : Math.min(1, near / Math.max(1, ten.length) / 0.3),
      saidOf(term.keyword),
      isSuspected || !isKindKnown ? null : 0.2 * Math.min(1, ofGenre / Math.max(1, known.length) / 0.5),
    ].filter((part) => part !== null);
    const relevance = parts.length === 0 ? null : Math.max(...parts);
    if (relevance === null) return { relevance, gain: null, isRivalBrand };
    const gain = Math.min(1, Math.max(0, (relevance - 0.1) / 0.4));
    return { relevance, gain: isRivalBrand && rank > 3 ? 0 : gain, isRivalBrand };
  };
}
