import type { Keyword, RankedApp, TopApp } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStore, toTimestamp } from './answers/from-proto.ts';
import { csvOfList } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { toOldestDay } from './route/history-window.ts';
import { keywordListFields, keywordListMeta, resolveKeywordList } from './route/keyword-list.ts';
import { isStale, rankAge, resultCount, scoredAt } from './shapes/ages.ts';
import { keiReason, keiScore, toKeiReason } from './shapes/kei.ts';
import * as shapes from './shapes/shapes.ts';

const appInSnapshot = z.object({
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  icon: shapes.icon,
});

const trackedKeyword = z.object({
  keyword_id: shapes.keywordId,
  keyword: shapes.keyword,
  ...shapes.storefront,
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  traffic_score: shapes.measuredScore('How much it is searched for'),
  is_partial: shapes.isPartial,
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  current_rank: shapes.rank,
  ahead: appInSnapshot
    .nullable()
    .meta({ description: 'The app ranked just above; null at rank 1 and when not ranked.' }),
  behind: appInSnapshot
    .nullable()
    .meta({ description: 'The app ranked just below; null at the last rank and when not ranked.' }),
  ranking: z
    .array(
      appInSnapshot.extend({
        rank: z
          .int()
          .min(1)
          .max(5)
          .meta({ description: 'Rank in the snapshot.', examples: [1] }),
        ratings: shapes.ratingCount,
      }),
    )
    .max(5)
    .meta({ description: 'The top five apps of the snapshot.' }),
  snapshot_date: shapes.date.meta({
    description:
      'UTC day of the snapshot that current_rank, ahead, behind and ranking come from: an earlier day until the keyword has been read today.',
  }),
  delta: shapes.rankDelta
    .meta({
      description:
        'Only with sort=delta or -delta: the rank in the snapshot before the latest one minus current_rank, so that positive is up. Null when either rank is null, or there is no snapshot before in the history of the plan (at most 400 days).',
    })
    .optional(),
  delta_since: shapes.date
    .nullable()
    .meta({
      description:
        'Only with sort=delta or -delta: UTC day of the snapshot before, usually the day before snapshot_date, and earlier when days were missed; null when there is none.',
    })
    .optional(),
  ...rankAge,
  scored_at: scoredAt,
  result_count: resultCount,
  kei_score: keiScore
    .nullable()
    .meta({ description: 'KEI: demand against competition, 0 to 100; null while it is not measured.' }),
  is_favorite: shapes.isFavorite,
  tracked_since: shapes.trackedSince,
  // Last, so that the columns of a CSV stay where they are.
  kei_reason: keiReason,
});

const snapshotDepths = z
  .array(z.object({ keyword_id: shapes.keywordId, depth: shapes.snapshotDepth }))
  .optional()
  .meta({
    description:
      'Keywords of this answer whose snapshot has fewer than 100 results; absent when there are none.',
  });

type Deps = { tracking: Pick<Clients['tracking'], 'listKeywords'> };

export const listKeywords = defineRoute({
  method: 'get',
  path: '/api/v1/keywords',
  operationId: 'listKeywords',
  tag: 'Keywords',
  summary: 'List tracked keywords',
  description:
    'Favorites first, then by keyword, or in the order of sort, with ranks from the latest daily snapshot, whose day is in snapshot_date. Sending page or per_page turns paging on; without both, the list has up to 1000 rows. The totals in meta count the rows that pass the filters. search works on at most 10,000 keywords, an order by traffic or difficulty, min_traffic and max_difficulty on 5,000, an order by rank on 4,000 and by delta on 2,000: narrow a longer list with app_id or favorites.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  query: z.object({
    app_id: idParameter('Only keywords of the application with this id in Shelfwise.').optional(),
    ...keywordListFields,
  }),
  sample: { query: { page: 1 } },
  data: z.array(trackedKeyword).max(shapes.maxListRows),
  csv: csvOfList(trackedKeyword),
  meta: keywordListMeta({ snapshot_depths: snapshotDepths }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: Deps, { account, plan, query, call, now }) {
    const { asked, toMeta } = resolveKeywordList(query);
    const isByDelta = query.sort === 'delta' || query.sort === '-delta';
    const { keywords, total } = await deps.tracking.listKeywords(
      {
        account_id: account.id,
        app_id: query.app_id,
        ...asked,
        oldest_day: isByDelta ? toOldestDay({ plan, now }) : undefined,
      },
      call,
    );
    return {
      data: keywords.map((row) => (isByDelta ? withDelta(row, now) : toTrackedKeyword(row, now))),
      meta: { ...toMeta(total), snapshot_depths: toSnapshotDepths(keywords) },
    };
  },
});

/** Field by field: to copy a row with its rest costs a list of 1,000 rows more than its JSON. */
function toTrackedKeyword(row: Keyword, now: Date): z.output<typeof trackedKeyword> {
  return {
    keyword_id: row.keyword_id,
    keyword: row.keyword,
    store: toStore(row.store),
    country: row.country,
    lang: row.lang,
    difficulty_score: row.difficulty_score ?? null,
    traffic_score: row.traffic_score ?? null,
    app_id: row.app_id,
    app_title: row.app_title ?? null,
    current_rank: row.current_rank ?? null,
    ahead: toApp(row.ahead),
    behind: toApp(row.behind),
    ranking: row.ranking.map(toTopApp),
    snapshot_date: row.snapshot_date,
    rank_date: row.snapshot_date,
    stale: isStale(row.snapshot_date, now),
    scored_at: row.scored_at?.toISOString() ?? null,
    result_count: row.snapshot_depth,
    kei_score: row.kei_score ?? null,
    kei_reason: toKeiReason(row.kei_reason),
    is_favorite: row.is_favorite,
    tracked_since: toTimestamp(row.tracked_since),
    is_partial: row.is_partial,
  };
}

function withDelta(row: Keyword, now: Date): z.output<typeof trackedKeyword> {
  return { ...toTrackedKeyword(row, now), delta: row.delta ?? null, delta_since: row.delta_since ?? null };
}

function toTopApp({ app_id, title = null, icon = null, rank, ratings = null }: TopApp) {
  return { app_id, title, icon, rank, ratings };
}

function toApp(app: RankedApp | null): z.output<typeof appInSnapshot> | null {
  return app && { app_id: app.app_id, title: app.title ?? null, icon: app.icon ?? null };
}

/**
 * The depths of the snapshots with fewer than 100 results. A snapshot belongs to a keyword, so a keyword that several
 * apps track is listed once.
 */
function toSnapshotDepths(keywords: readonly Keyword[]): z.output<typeof snapshotDepths> {
  const shallow = new Map(
    keywords
      .filter((keyword) => keyword.snapshot_depth < shapes.fullSnapshotDepth)
      .map((keyword) => [keyword.keyword_id, keyword.snapshot_depth]),
  );
  if (shallow.size === 0) return undefined;
  return [...shallow].map(([keywordId, depth]) => ({ keyword_id: keywordId, depth }));
}
