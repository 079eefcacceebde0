import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { appNotTracked, beyondPlan } from './common/error-sentences.ts';
import { dateParameter, idParameter } from './common/fields.ts';
import { historyWindow, maxWindowDays } from './common/history-window.ts';
import * as shapes from './common/shapes.ts';
import { findTrackedListing } from './common/tracked-app.ts';
import { firstDayMoves } from './common/visibility.ts';
import { getScoreHistoryExample } from './examples/get-score-history-example.ts';

const day = z.object({
  date: shapes.date,
  score: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: `Visibility, 0 to 100; null when no result page of its terms was read that day. ${firstDayMoves}`,
      examples: [61.8],
    }),
  ratings: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Rating count of that day; null when it was not read.', examples: [72650] }),
});

export const getScoreHistory = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/scores/history',
  operationId: 'getScoreHistory',
  summary: 'Score history of an application',
  description: 'How visible it was in searches, day by day, oldest first. A window has 400 days at most.',
  cost: 0,
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Internal app id.') }),
  query: z.object({
    from: dateParameter.meta({ description: 'First day; by default 30 days ago.' }).optional(),
    to: dateParameter.meta({ description: 'Last day; by default today.' }).optional(),
  }),
  body: null,
  data: z.object({
    app_id: shapes.internalId,
    history: z
      .array(day)
      .max(maxWindowDays)
      .meta({ description: 'A row per day from the first one that was read.' }),
  }),
  meta: z.object({
    from: shapes.date.meta({ description: 'First day of the window.' }),
    to: shapes.date.meta({ description: 'Last day of the window.' }),
    total: shapes.countTo(maxWindowDays).meta({ description: 'How many days the history has.' }),
  }),
  example: getScoreHistoryExample,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: beyondPlan,
  },
  async handler({ account, plan, params, query, clients, call, now }) {
    const { from, to } = historyWindow({
      from: query.from,
      to: query.to,
      now,
      planDays: plan.limits.historical_data_days,
    });
    await findTrackedListing(clients, { account_id: account.id, id: params.id }, call);
    const reply = await clients.scoring.getScoreHistory({ app_id: params.id, from, to }, call);
    const history = reply.history.map(({ date, score, ratings }) => ({
      date,
      score: score ?? null,
      ratings: ratings ?? null,
    }));
    return { data: { app_id: params.id, history }, meta: { from, to, total: history.length } };
  },
});
