import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toStore } from './answers/from-proto.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { beyondPlan } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { historyMeta, historyQuery, maxWindowDays, resolveHistoryWindow } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

const day = z.object({ date: shapes.date, rank: shapes.rank });

const keywordFields = {
  keyword_id: shapes.keywordId,
  keyword: shapes.keyword,
  ...shapes.storefront,
};

const appFields = { app_id: shapes.internalId, app_title: shapes.appTitle };

const rankHistory = z.object({
  ...keywordFields,
  apps: z
    .array(
      z.object({
        ...appFields,
        history: z.array(day).max(maxWindowDays).meta({ description: 'One row per day with a snapshot.' }),
      }),
    )
    .meta({ description: 'The applications that track or tracked the keyword.' }),
});

/** One row per application and day. */
const rankRow = z.object({ ...keywordFields, ...appFields, ...day.shape });

type Deps = { tracking: Pick<Clients['tracking'], 'getRankHistory'> };

export const getRankHistory = defineRoute({
  method: 'get',
  path: '/api/v1/keywords/{id}/ranks/history',
  operationId: 'getRankHistory',
  tag: 'Keywords',
  summary: 'Get the rank history of a keyword',
  description:
    'Daily ranks of the applications that track or tracked the keyword, oldest first. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Keyword id.') }),
  query: z.object({
    app_id: idParameter(
      'Only this application, or this competitor of an application that tracks the keyword. An id in Shelfwise.',
    ).optional(),
    ...historyQuery,
  }),
  sample: { params: { id: 1 } },
  data: rankHistory,
  csv: csvTable(rankRow, toRankRows),
  meta: z.object({
    ...historyMeta,
    total_apps: shapes.count.meta({ description: 'Number of applications.' }),
    snapshot_depths: z
      .array(z.object({ date: shapes.date, depth: shapes.snapshotDepth }))
      .max(maxWindowDays)
      .optional()
      .meta({ description: 'Days whose snapshot holds fewer than 100 results; absent when none.' }),
  }),
  errors: {
    NOT_FOUND: 'This account has never tracked a keyword with that id.',
    APP_NOT_FOUND:
      'No application and no competitor of this account with that id is compared for this keyword.',
    PLAN_LIMIT: beyondPlan,
  },
  async handler(deps: Deps, { account, plan, params, query, call, now }) {
    const { from, to } = resolveHistoryWindow(query, { plan, now });
    const reply = await deps.tracking.getRankHistory(
      { account_id: account.id, keyword_id: params.id, app_id: query.app_id, from, to },
      call,
    );
    const apps = reply.apps.map((app) => ({
      app_id: app.app_id,
      app_title: app.app_title ?? null,
      history: app.history.map(({ date, rank }) => ({ date, rank: rank ?? null })),
    }));
    return {
      data: {
        keyword_id: reply.keyword_id,
        keyword: reply.keyword,
        store: toStore(reply.store),
        country: reply.country,
        lang: reply.lang,
        apps,
      },
      meta: {
        from,
        to,
        total_apps: apps.length,
        snapshot_depths: reply.shallow_snapshots.length > 0 ? reply.shallow_snapshots : undefined,
      },
    };
  },
});

function* toRankRows({
  apps,
  ...keyword
}: z.output<typeof rankHistory>): Generator<z.output<typeof rankRow>> {
  for (const { history, ...app } of apps) for (const row of history) yield { ...keyword, ...app, ...row };
}
