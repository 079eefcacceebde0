import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { appNotTracked, beyondPlan } from './common/error-sentences.ts';
import { dateParameter, idParameter } from './common/fields.ts';
import { toStore } from './common/from-proto.ts';
import { historyWindow, maxWindowDays } from './common/history-window.ts';
import * as shapes from './common/shapes.ts';
import { getRankHistoryExample } from './examples/get-rank-history-example.ts';

export const getRankHistory = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/{id}/ranks/history',
  operationId: 'getRankHistory',
  summary: 'Rank history of a keyword',
  description:
    'Daily ranks of the applications that track or tracked it, oldest first. A day with a snapshot in which the app does not rank has rank null; a day without a snapshot has no row. A window has 400 days at most.',
  cost: 0,
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Keyword id.') }),
  query: z.object({
    app_id: idParameter(
      'Only this application, or this competitor of one that tracks the keyword (internal app id).',
    ).optional(),
    from: dateParameter.meta({ description: 'First day; by default 30 days ago.' }).optional(),
    to: dateParameter.meta({ description: 'Last day; by default today.' }).optional(),
  }),
  body: null,
  data: z.object({
    keyword_id: shapes.keywordId,
    keyword: shapes.keyword,
    store: shapes.store,
    country: shapes.country,
    apps: z
      .array(
        z.object({
          app_id: shapes.internalId,
          app_title: shapes.appTitle,
          history: z
            .array(z.object({ date: shapes.date, rank: shapes.rank }))
            .max(maxWindowDays)
            .meta({ description: 'A row per day with a snapshot.' }),
        }),
      )
      .meta({ description: 'The applications that track or tracked it.' }),
  }),
  meta: z.object({
    from: shapes.date.meta({ description: 'First day of the window.' }),
    to: shapes.date.meta({ description: 'Last day of the window.' }),
    total_apps: shapes.count.meta({ description: 'How many applications there are.' }),
    snapshot_depths: z
      .array(z.object({ date: shapes.date, depth: shapes.snapshotDepth }))
      .max(maxWindowDays)
      .optional()
      .meta({ description: 'Days whose snapshot holds fewer than 100 results; absent when none.' }),
  }),
  example: getRankHistoryExample,
  errors: {
    NOT_FOUND: 'This account has never tracked a keyword with that id.',
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
    const reply = await clients.tracking.getRankHistory(
      { account_id: account.id, keyword_id: params.id, app_id: query.app_id, from, to },
      call,
    );
    const { keyword, store, country, apps, shallow_snapshots: shallowSnapshots } = reply;
    const histories = apps.map(({ app_id: appId, app_title: appTitle, history }) => ({
      app_id: appId,
      app_title: appTitle,
      history: history.map(({ date, rank }) => ({ date, rank: rank ?? null })),
    }));
    return {
      data: { keyword_id: reply.keyword_id, keyword, store: toStore(store), country, apps: histories },
      meta: {
        from,
        to,
        total_apps: apps.length,
        ...(shallowSnapshots.length > 0 && { snapshot_depths: shallowSnapshots }),
      },
    };
  },
});
