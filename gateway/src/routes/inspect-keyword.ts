import type { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { KeywordTracking } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { capReached, storeTooSlow } from './common/error-sentences.ts';
import { isSoldIn, marketFields, searchedKeywordField, soldInOptions } from './common/fields.ts';
import { toTimestamp } from './common/from-proto.ts';
import { historyMeta, toHistoryMeta } from './common/history-saved.ts';
import * as shapes from './common/shapes.ts';
import { inspectKeywordExample } from './examples/inspect-keyword-example.ts';

const level = z
  .enum(['excellent', 'good', 'fair', 'poor'])
  .meta({ description: 'The score in a word.', examples: ['good'] });

const kei = z.object({
  score: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'Demand against competition, 0 to 100.', examples: [47.3] }),
  level,
});

const rankedApp = z.object({
  rank: z
    .int()
    .min(1)
    .max(20)
    .meta({ description: 'Place on the result page.', examples: [1] }),
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  icon: shapes.icon,
  genre: z
    .string()
    .nullable()
    .meta({ description: 'Null when the store does not say.', examples: ['Productivity'] }),
  rating: z
    .number()
    .min(0)
    .max(5)
    .nullable()
    .meta({
      description: 'Average rating; null when there is none or the store does not say.',
      examples: [4.4],
    }),
});

const tracking = z.object({
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  current_rank: shapes.rank,
  is_favorite: shapes.isFavorite,
  tracked_since: shapes.trackedSince,
});

const inspection = z.object({
  keyword: shapes.keyword,
  store: shapes.store,
  country: shapes.country,
  lang: shapes.lang,
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  traffic_score: shapes.measuredScore('How much it is searched'),
  kei: kei.nullable().meta({ description: 'Null when one of the two scores is.' }),
  ranking: z
    .array(rankedApp)
    .max(20)
    .meta({ description: 'The first 20 apps of the result page, read now.' }),
  related_keywords: z
    .array(z.string())
    .max(20)
    .meta({ description: 'Best traffic first.', examples: [['daily habits']] }),
  is_tracked: z.boolean().meta({ description: 'Whether this account tracks it for any application.' }),
  user_tracking: z.array(tracking).meta({ description: 'The applications that it is tracked for.' }),
});

export const inspectKeyword = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/inspect',
  operationId: 'inspectKeyword',
  summary: 'Inspect a keyword',
  description:
    'Scores and result page of any keyword, tracked or not, read now. It is kept in the inspection history. Only inspections of keywords that the account does not track count as keyword_inspections.',
  cost: 1,
  deadlineMs: 35_000,
  params: z.object({}),
  query: z.object({ keyword: searchedKeywordField, ...marketFields }).refine(isSoldIn, soldInOptions),
  body: null,
  data: inspection,
  meta: historyMeta,
  example: inspectKeywordExample,
  errors: {
    PLAN_LIMIT: capReached('keyword_inspections'),
    STORE_FETCH_FAILED: storeTooSlow,
  },
  async handler({ account, query, clients, countUse, call }) {
    const { keyword, ...market } = query;
    const request = { account_id: account.id, storefront: market, keyword };
    // First, because it tells whether the plan must have room for this inspection.
    const { rows } = await clients.tracking.listKeywordTracking(request, call);
    const inspect = async () => {
      const reply = await clients.scoring.inspectKeyword(request, call);
      return {
        data: {
          ...toFindings(reply),
          ...market,
          is_tracked: rows.length > 0,
          user_tracking: rows.map(toTracking),
        },
        meta: toHistoryMeta(reply.is_saved),
      };
    };
    return rows.length > 0 ? inspect() : countUse('keyword_inspections', inspect);
  },
});

function toFindings(reply: InspectKeywordReply) {
  const { keyword, ranking } = reply;
  return {
    keyword,
    difficulty_score: reply.difficulty_score ?? null,
    traffic_score: reply.traffic_score ?? null,
    kei: reply.kei && { score: reply.kei.score, level: level.parse(reply.kei.level) },
    ranking: ranking.map((app) => ({ ...app, genre: app.genre ?? null, rating: app.rating ?? null })),
    related_keywords: reply.related_keywords,
  };
}

function toTracking(row: KeywordTracking): z.output<typeof tracking> {
  const { current_rank: currentRank, tracked_since: trackedSince } = row;
  return {
    app_id: row.app_id,
    app_title: row.app_title,
    current_rank: currentRank ?? null,
    is_favorite: row.is_favorite,
    tracked_since: toTimestamp(trackedSince),
  };
}
