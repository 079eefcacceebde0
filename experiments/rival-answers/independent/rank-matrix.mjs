import { addDays, inOrder, isWithin, pageOf, rankIn } from './formulas.mjs';
import { latestSnapshots, trackedKeywords } from './tracked.mjs';

/**
 * The latest ranks of an application and of competitors for its tracked keywords, and how they differ from those some days before.
 * @param app `listing` and `competitors` in the order of the answer
 */
export function rankMatrix(documents, owner, { listing, competitors }, query, today) {
  const { days = 7 } = query;
  const apps = [listing, ...competitors];
  const latest = latestSnapshots(documents);
  const pageOn = new Map(documents.snapshots.map((row) => [`${row.keyword_id} ${row.day}`, row]));
  const scores = new Map(
    documents.terms
      .filter(({ store, country, lang }) =>
        [store === listing.store, country === listing.country, lang === listing.lang].every(Boolean),
      )
      .map(({ keyword, score }) => [keyword, score]),
  );
  const rows = trackedKeywords(documents, owner, listing).map(
    ({ keyword, keyword_id: id, favorite_order: favorite }) => {
      const { day, app_ids: ids } = latest.get(id);
      const before = pageOn.get(`${id} ${addDays(day, -days)}`);
      const isStale = day < addDays(today, -1);
      const ranks = apps.map(({ app_id: appId }) => {
        const [rank, earlier] = [rankIn(ids, appId), before ? rankIn(before.app_ids, appId) : null];
        return {
          app_id: appId,
          rank,
          state: isStale ? 'stale' : rank === null ? 'not_ranked' : 'ranked',
          delta: rank === null || earlier === null ? null : earlier - rank,
        };
      });
      const { traffic = null, difficulty = null, is_partial = false } = scores.get(keyword) ?? {};
      const scored = { traffic_score: traffic, is_partial, difficulty_score: difficulty };
      const shown = { keyword_id: id, keyword, ...scored };
      return { favorite, row: { ...shown, rank_date: day, stale: isStale, depth: ids.length, ranks } };
    },
  );
  const listed = rows
    .filter(({ favorite }) => !query.favorites || favorite === 0)
    .filter(({ row }) => isWithin(query)(row))
    .map(({ row, favorite }) => ({ ...row, favorite }));
  const { data, meta } = pageOf(
    inOrder(listed, query.sort ?? 'favorite', {
      favorite: ({ favorite }) => favorite,
      keyword: ({ keyword }) => keyword,
      rank: ({ ranks }) => ranks[0].rank,
      traffic: ({ traffic_score: traffic }) => traffic,
      difficulty: ({ difficulty_score: difficulty }) => difficulty,
      delta: ({ ranks }) => ranks[0].delta,
    }),
    query,
  );
  return {
    data: {
      apps: apps.map(({ app_id, title, relationId = null }) => ({
        app_id,
        title,
        is_own: relationId === null,
        competitor_id: relationId,
      })),
      rows: data.map(({ favorite: _, ...row }) => row),
    },
    meta: {
      ...meta,
      pages: data.length,
      oldest_page: data.map(({ rank_date: day }) => day).sort()[0] ?? null,
      unread: 0,
      truncated: false,
    },
  };
}
