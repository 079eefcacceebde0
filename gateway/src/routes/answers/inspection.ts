import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { isStale, rankAge, resultCount, scoredAt, scoredOnDay, shownDay, shownTime } from '../shapes/ages.ts';
import { keiFields, toKei } from '../shapes/kei.ts';
import * as shapes from '../shapes/shapes.ts';

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

/** What an inspection found, without the applications that track the keyword. */
export const shownInspection = z.object({
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
});

/** A page of today is not read again: the scores may be older than the call. */
export function toInspection(
  reply: InspectKeywordReply,
  storefront: Storefront,
  { now, isTracked }: { now: Date; isTracked: boolean },
): z.output<typeof shownInspection> {
  return {
    keyword: reply.keyword,
    ...storefront,
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
