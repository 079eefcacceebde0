import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { findTrackedListing, toTrackedApp } from './answers/tracked-app.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked, beyondPlan } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { historyMeta, historyQuery, maxWindowDays, resolveHistoryWindow } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

const day = z.object({
  date: shapes.date,
  score: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: `Visibility, 0 to 100; null when the app has fewer than five terms that name no brand, even with those of its description, or when the result pages of too few of its terms were read that day and the two days before: see reason. ${shapes.firstDayNote}`,
      examples: [61.8],
    }),
  reason: z
    .enum(['basket_too_small', 'too_little_read'])
    .nullable()
    .meta({
      description:
        'Why there is no score: `basket_too_small` (fewer than five terms; track more keywords) or `too_little_read`. Null: there is one.',
      examples: ['basket_too_small'],
    }),
  basket_version: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description:
        'Version of the set of terms that the score is about; a new one may begin on the first of a month. Null: there is none yet.',
      examples: [1],
    }),
  terms: z
    .int()
    .min(0)
    .max(50)
    .meta({ description: 'Number of these terms whose result page was read that day.', examples: [48] }),
  previous_basket_score: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description:
        'On the first day of a new set of terms: the score over the set before, so that a step is not taken for a change of ranks. Null on other days, or unknown.',
      examples: [58.2],
    }),
  carried_terms: z
    .int()
    .min(0)
    .max(50)
    .meta({
      description:
        'Number of further terms, which keep the rank that was read on one of the two days before.',
      examples: [2],
    }),
  ratings: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Number of ratings on that day; null when it was not read.', examples: [72650] }),
});

const scoreHistory = z.object({
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  history: z
    .array(day)
    .max(maxWindowDays)
    .meta({ description: 'One row per day, from the first day that was read.' }),
});

type Deps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
  scoring: Pick<Clients['scoring'], 'getScoreHistory'>;
};

export const getScoreHistory = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/scores/history',
  operationId: 'getScoreHistory',
  tag: 'Applications',
  summary: 'Get the score history of an application',
  description:
    'Daily visibility of the application in searches, oldest first. A window has at most 400 days.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object(historyQuery),
  sample: { params: { id: 1 } },
  data: scoreHistory,
  csv: csvTable(
    z.object({ app_id: shapes.internalId, app_title: shapes.appTitle, ...day.shape }),
    ({ history, ...app }: z.output<typeof scoreHistory>) => history.map((row) => ({ ...app, ...row })),
  ),
  meta: z.object({
    ...historyMeta,
    total: shapes.boundedCount(maxWindowDays).meta({ description: 'Number of days in the history.' }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: beyondPlan,
  },
  async handler(deps: Deps, { account, plan, params, query, call, now }) {
    const { from, to } = resolveHistoryWindow(query, { plan, now });
    // Refuses an application of another account: scoring does not check who tracks it.
    const listing = await findTrackedListing(deps, { account_id: account.id, id: params.id }, call);
    const { title: appTitle } = toTrackedApp(listing);
    const reply = await deps.scoring.getScoreHistory({ app_id: params.id, from, to }, call);
    const history = reply.history.map(({ score, ratings, ...row }) => ({
      date: row.date,
      score: score ?? null,
      reason: day.shape.reason.parse(row.reason ?? null),
      previous_basket_score: row.previous_basket_score ?? null,
      basket_version: row.basket_version ?? null,
      terms: row.terms,
      carried_terms: row.carried_terms,
      ratings: ratings ?? null,
    }));
    return {
      data: { app_id: params.id, app_title: appTitle, history },
      meta: { from, to, total: history.length },
    };
  },
});
