import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked, beyondPlan } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { historyMeta, historyQuery, maxWindowDays, resolveHistoryWindow } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

const keywords = (description: string) => shapes.count.meta({ description });

export const distributionDay = z.object({
  date: shapes.date,
  tracked: keywords('Keywords that were tracked on that day: the sum of the next seven.'),
  rank_1: keywords('Keywords for which the application ranked first.'),
  rank_2_3: keywords('Keywords with rank 2 or 3.'),
  rank_4_10: keywords('Keywords with rank 4 to 10.'),
  rank_11_30: keywords('Keywords with rank 11 to 30.'),
  rank_31_100: keywords('Keywords with rank 31 to 100.'),
  not_ranked: keywords('Keywords for which the application was not in the snapshot of that day.'),
  unread: keywords('Keywords without a snapshot of that day: where the application ranked is not known.'),
  traffic_share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description:
        'Of the traffic scores of these keywords, as of today, the share that belongs to ranks 1 to 10. Keywords without a score or a snapshot are left out; null when less than 80 % of the scores was read.',
      examples: [0.62],
    }),
});

const rankDistribution = z.object({
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  history: z
    .array(distributionDay)
    .max(maxWindowDays)
    .meta({ description: 'One row per day on which at least one keyword was tracked.' }),
});

type Deps = { tracking: Pick<Clients['tracking'], 'getRankDistribution'> };

export const getRankDistribution = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/rank-distribution',
  operationId: 'getRankDistribution',
  tag: 'Applications',
  summary: 'Get how many keywords of an application ranked where on each day',
  description:
    'Counts the keywords that were tracked on each day by where the application ranked, oldest day first. A keyword counts from the day on which it was tracked until the day before its removal; one that was removed and tracked again counts from then on. A window has at most 400 days, and its days times the keywords are at most 40,000.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object(historyQuery),
  sample: { params: { id: 1 } },
  data: rankDistribution,
  csv: csvTable(
    z.object({ app_id: shapes.internalId, app_title: shapes.appTitle, ...distributionDay.shape }),
    ({ history, ...app }: z.output<typeof rankDistribution>) => history.map((row) => ({ ...app, ...row })),
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
    const reply = await deps.tracking.getRankDistribution(
      { account_id: account.id, app_id: params.id, from, to },
      call,
    );
    const history = reply.history.map((row) => ({ ...row, traffic_share: row.traffic_share ?? null }));
    return {
      data: { app_id: params.id, app_title: reply.app_title ?? null, history },
      meta: { from, to, total: history.length },
    };
  },
});
