import type { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { KeywordTracking } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import type { CountUse } from '../limits/count-use.ts';
import { toTimestamp } from './answers/from-proto.ts';
import { defineRoute } from './route/define-route.ts';
import { storeNotReadInTime, toCapReachedExample } from './route/error-examples.ts';
import { inStorefront, searchedKeywordField, storefrontFields } from './route/fields.ts';
import { isStale, rankAge, resultCount, scoredAt, scoredOnDay, shownDay, shownTime } from './shapes/ages.ts';
import { historyMeta, toHistoryMeta } from './shapes/history-meta.ts';
import { keiFields, toKei } from './shapes/kei.ts';
import * as shapes from './shapes/shapes.ts';

const rankedApp = z.object({
  rank: z
    .int()
    .min(1)
    .max(20)
    .meta({ description: 'Rank on the result page.', examples: [1] }),
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  icon: shapes.icon,
  genre: z
    .string()
    .nullable()
    .meta({
      description: 'Genre in the store; null when the store does not show it.',
      examples: ['Productivity'],
    }),
  rating: z
    .number()
    .min(0)
    .max(5)
    .nullable()
    .meta({
      description: 'Average rating; null when there are no ratings or the store does not show it.',
      examples: [4.4],
    }),
  ratings: shapes.ratingCount,
});

const relatedTerm = z.object({
  keyword: shapes.keyword,
  traffic_score: shapes.measuredScore('How much it is searched for'),
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  scored_at: scoredOnDay,
});

const tracking = z.object({
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  current_rank: shapes.rank,
  ...rankAge,
  is_favorite: shapes.isFavorite,
  tracked_since: shapes.trackedSince,
});

const inspection = z.object({
  keyword: shapes.keyword,
  ...shapes.storefront,
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  traffic_score: shapes.measuredScore('How much it is searched for'),
  is_partial: shapes.isPartial,
  ...keiFields,
  scored_at: scoredAt.meta({
    description:
      'When the scores were computed, to the day (UTC) for a keyword that the account does not track; null when they are not measured yet.',
  }),
  ...rankAge,
  result_count: resultCount,
  ranking: z
    .array(rankedApp)
    .max(20)
    .meta({ description: 'The first 20 apps of the result page, read now.' }),
  related_keywords: z
    .array(z.string())
    .max(20)
    .meta({ description: 'Related keywords, most traffic first.', examples: [['daily habits']] }),
  related: z
    .array(relatedTerm)
    .max(20)
    .meta({ description: 'The related keywords with their stored scores.' }),
  is_tracked: z
    .boolean()
    .meta({ description: 'Whether this account tracks the keyword for any application.' }),
  user_tracking: z
    .array(tracking)
    .meta({ description: 'The applications of this account that track the keyword.' }),
});

type Deps = {
  tracking: Pick<Clients['tracking'], 'listKeywordTracking'>;
  scoring: Pick<Clients['scoring'], 'inspectKeyword'>;
  countUse: CountUse;
};

export const inspectKeyword = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/inspect',
  operationId: 'inspectKeyword',
  tag: 'Keywords',
  summary: 'Inspect a keyword',
  description:
    'Reads the scores and the result page of any keyword, tracked or not. The inspection is saved in the history. Only inspections of keywords that the account does not track count towards keyword_inspections.',
  cost: 1,
  services: ['tracking', 'scoring'],
  deadlineMs: 35_000,
  query: inStorefront(z.object({ keyword: searchedKeywordField, ...storefrontFields })),
  sample: { query: { keyword: 'habit tracker', store: 'ITUNES', country: 'US', lang: 'en-US' } },
  data: inspection,
  meta: historyMeta,
  errors: {
    PLAN_LIMIT: toCapReachedExample('keyword_inspections'),
    STORE_FETCH_FAILED: storeNotReadInTime,
  },
  async handler(deps: Deps, { account, query, call, now }) {
    const { keyword, ...storefront } = query;
    const request = { account_id: account.id, storefront, keyword };
    // First, because the answer decides whether the inspection counts towards the plan's cap.
    const { rows } = await deps.tracking.listKeywordTracking(request, call);
    const inspect = async () => {
      const reply = await deps.scoring.inspectKeyword(request, call);
      return {
        data: {
          ...toInspection(reply, now, rows.length > 0),
          ...storefront,
          is_tracked: rows.length > 0,
          user_tracking: rows.map((row) => toTracking(row, now)),
        },
        meta: toHistoryMeta(reply.is_saved),
      };
    };
    return rows.length > 0 ? inspect() : deps.countUse('keyword_inspections', inspect);
  },
});

/** A page of today is not read again: the scores may be older than the call. */
function toInspection(reply: InspectKeywordReply, now: Date, isTracked: boolean) {
  return {
    keyword: reply.keyword,
    difficulty_score: reply.difficulty_score ?? null,
    traffic_score: reply.traffic_score ?? null,
    is_partial: reply.is_partial,
    kei: toKei(reply.kei),
    is_navigational: reply.is_navigational ?? null,
    is_searched: reply.is_searched ?? null,
    scored_at: shownTime(reply.scored_at, { isTracked })?.toISOString() ?? null,
    rank_date: reply.rank_date,
    stale: isStale(reply.rank_date, now),
    result_count: reply.result_count,
    ranking: reply.ranking.map((app) => ({
      ...app,
      title: app.title ?? null,
      icon: app.icon ?? null,
      genre: app.genre ?? null,
      rating: app.rating ?? null,
      ratings: app.ratings ?? null,
    })),
    related_keywords: reply.related_keywords,
    related: reply.related.map(({ keyword, ...scores }) => ({
      keyword,
      traffic_score: scores.traffic_score ?? null,
      difficulty_score: scores.difficulty_score ?? null,
      scored_at: shownDay(scores.scored_at),
    })),
  };
}

function toTracking(row: KeywordTracking, now: Date): z.output<typeof tracking> {
  return {
    app_id: row.app_id,
    app_title: row.app_title ?? null,
    current_rank: row.current_rank ?? null,
    rank_date: row.rank_date,
    stale: isStale(row.rank_date, now),
    is_favorite: row.is_favorite,
    tracked_since: toTimestamp(row.tracked_since),
  };
}
