import { listingChanges } from './independent/changes.mjs';
import { keywordGap, rankedBy, seenTerms } from './independent/kept-terms.mjs';
import { rankMatrix } from './independent/rank-matrix.mjs';
import { competitorsOf } from './independent/tracked.mjs';
import { shareOfVoice } from './independent/visibility.mjs';

/** Sums in another order differ by less. */
const tolerance = 1e-9;
const bothWays = (fields) => fields.flatMap((field) => [field, `-${field}`]);

/**
 * The calls whose answers are compared, each with the answer that the documents give: all sorts and filters, and pages.
 * @param asked `owner` (the account, and the id of its application), `at` (the time of the system), `words`
 */
export function answersOf(documents, { owner, at, words }) {
  const today = at.toISOString().slice(0, 10);
  const listing = documents.listings.find(({ _id: id }) => id === owner.listingId);
  const competitors = competitorsOf(documents, owner);
  const { store, country, lang } = listing;
  const storefront = { store, country, lang };
  const neighbors = documents.audits.find(({ _id: id }) => id === listing._id)?.neighbors ?? [];
  const app = { listing, competitors, neighbors, words };
  const path = `/applications/${listing._id}`;
  const seen = seenTerms(documents, owner, { storefront, at });
  const seenByAccount = seenTerms(documents, { accountId: owner.accountId }, { storefront, at });
  const chosen = ({ competitor_ids: ids }, most) =>
    ids === undefined
      ? competitors.slice(0, most)
      : ids.split(',').map((id) => competitors.find(({ relationId }) => relationId === Number(id)));

  const gap = (query) => ({
    path: `${path}/keyword-gap`,
    query,
    expected: () => keywordGap(seen, { ...app, rivals: chosen(query, 5) }, { per_page: 50, ...query }, today),
  });
  const ranked = (query) => ({
    path: '/keywords/ranked-by',
    query: { ...storefront, ...query },
    expected: () => rankedBy(seenByAccount, query.app_id, { per_page: 50, ...query }, today),
  });
  const matrix = (query) => ({
    path: `${path}/rank-matrix`,
    query,
    expected: () =>
      rankMatrix(
        documents,
        owner,
        { listing, competitors: chosen(query, 5) },
        { per_page: 200, ...query },
        today,
      ),
  });
  const voice = (query) => ({
    path: `${path}/share-of-voice`,
    query,
    expected: () => shareOfVoice(documents, owner, app, query),
    // Titles and icons are those of the newest page that shows them.
    shown: ({ data, meta }) => ({
      data: { ...data, apps: data.apps.map(({ title: _title, icon: _icon, ...one }) => one) },
      meta,
    }),
  });
  const changes = (query) => ({
    path: `${path}/changes`,
    query,
    expected: () => listingChanges(documents, owner, app, { per_page: 10, ...query }, today),
  });

  const relations = competitors.map(({ relationId }) => relationId);
  const all = { own_min_rank: 2, rival_max_rank: 30, min_traffic: 0, include_brands: true };
  const ofRival = { app_id: competitors[0].app_id };
  const word = listing.title.split(/\W+/).find((one) => one.length > 3);
  const filters = [
    { search: 'note' },
    { search: word.toUpperCase() },
    { max_difficulty: 45 },
    { min_traffic: 30 },
  ];
  const ofTracked = [{ tracked: 'yes' }, { tracked: 'no' }];
  const pages = [1, 2, 3, 99].map((page) => ({ page, per_page: 7 }));
  const [from, to] = [new Date(at.getTime() - 30 * 86_400_000).toISOString().slice(0, 10), today];
  const days = [
    { from, to },
    { from: today, to },
    { from, to: from },
  ];
  const sortsOfAll = ['value', 'traffic', 'difficulty', 'kei', 'rank', 'keyword'];
  const sortsOfMatrix = ['keyword', 'rank', 'traffic', 'difficulty', 'delta'];
  return [
    ...[{}, { own_min_rank: 21 }, { own_min_rank: 22, rival_max_rank: 1 }, all].map(gap),
    ...bothWays([...sortsOfAll, 'gain']).map((sort) => gap({ ...all, sort, per_page: 1000 })),
    ...[...filters, ...ofTracked, ...pages].map((query) => gap({ ...all, ...query })),
    gap({ ...all, competitor_ids: `${relations.at(-1)},${relations[0]}` }),
    gap({ ...all, include_brands: false, per_page: 1000 }),
    gap({ ...all, search: 'no such keyword' }),
    ...[listing, ...competitors].map(({ app_id }) => ranked({ app_id, per_page: 1000 })),
    ...bothWays(sortsOfAll).map((sort) => ranked({ ...ofRival, sort })),
    ...[...filters, ...ofTracked, ...pages].map((query) => ranked({ ...ofRival, ...query })),
    ...[1, 7, 14].map((count) => matrix({ days: count, per_page: 1000 })),
    ...bothWays(sortsOfMatrix).map((sort) => matrix({ sort, page: 1 })),
    ...[...filters, { favorites: true, page: 1 }, ...pages].map((query) => matrix({ page: 1, ...query })),
    matrix({ competitor_ids: `${relations.at(-1)},${relations[0]}`, page: 1 }),
    ...days.map(voice),
    ...days.map((window) => changes({ ...window, competitors: true, per_page: 50 })),
    ...[1, 2, 3].map((page) => changes({ from, to, competitors: true, effects: false, page, per_page: 2 })),
    changes({ from, to }),
  ];
}

/**
 * Where an answer differs from what is expected, at most a few places.
 * An expected `either` stands for a verdict that is open.
 */
export function differencesOf(expected, actual, place = '') {
  if (expected === 'either') return [];
  if (typeof expected === 'number' && typeof actual === 'number')
    return Math.abs(expected - actual) <= tolerance ? [] : [`${place}: ${actual}, expected ${expected}`];
  if (expected === null || actual === null || typeof expected !== 'object' || typeof actual !== 'object')
    return expected === actual
      ? []
      : [`${place}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return keys.flatMap((key) => {
    const name = expected[key]?.keyword ?? actual[key]?.keyword ?? key;
    return differencesOf(expected[key] ?? null, actual[key] ?? null, `${place}/${name}`);
  });
}
