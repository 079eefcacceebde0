import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked, beyondPlan } from './route/error-examples.ts';
import {
  booleanParameter,
  idListParameter,
  idParameter,
  integerParameterWithDefault,
} from './route/fields.ts';
import { historyMeta, historyQuery, maxWindowDays, resolveHistoryWindow } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

const maxKeywords = 100;
/** The application and its competitors. */
const maxApps = 1001;

const day = z.object({ date: shapes.date, rank: shapes.rank });

const keywordFields = { keyword_id: shapes.keywordId, keyword: shapes.keyword };

const appFields = {
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  is_own: z
    .boolean()
    .meta({ description: 'Whether it is the application itself, not a competitor.', examples: [true] }),
};

const rankHistories = z.object({
  app_id: shapes.internalId,
  keywords: z
    .array(
      z.object({
        ...keywordFields,
        apps: z
          .array(
            z.object({
              ...appFields,
              history: z
                .array(day)
                .max(maxWindowDays)
                .meta({ description: 'One row per day with a snapshot.' }),
            }),
          )
          .max(maxApps)
          .meta({
            description: 'The application; with competitors=true also its competitors, newest first.',
          }),
      }),
    )
    .max(maxKeywords)
    .meta({ description: 'The keywords of this page.' }),
});

/** One row per keyword, app and day. */
const rankRow = z.object({ ...keywordFields, ...appFields, ...day.shape });

type Deps = { tracking: Pick<Clients['tracking'], 'listRankHistories'> };

export const listRankHistories = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/ranks/history',
  operationId: 'listRankHistories',
  tag: 'Applications',
  summary: 'List the rank histories of many keywords of an application',
  description:
    'Daily ranks of the application, and with competitors=true of its competitors, for up to 100 keywords, oldest day first: without keyword_ids those of the list of keywords, favorites first, in pages. On a day whose snapshot does not rank the app, rank is null; a day without a snapshot has no row. A window has at most 400 days, and keywords times days times apps are at most 40,000.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({
    keyword_ids: idListParameter(
      `Only these keywords, in this order: up to ${maxKeywords} ids separated by commas, also of keywords that were removed.`,
      maxKeywords,
    ).optional(),
    ...historyQuery,
    competitors: booleanParameter('Whether to add the ranks of the competitors.').optional(),
    page: integerParameterWithDefault('Page number, from 1.', shapes.maxPage, 1),
    per_page: integerParameterWithDefault(
      `Keywords per page, at most ${maxKeywords}.`,
      maxKeywords,
      maxKeywords,
    ),
  }),
  sample: { params: { id: 1 }, query: { keyword_ids: '1', competitors: true } },
  data: rankHistories,
  csv: csvTable(rankRow, toRankRows),
  meta: shapes.paginationMeta.extend({
    ...historyMeta,
    snapshot_depths: z
      .array(z.object({ keyword_id: shapes.keywordId, depth: shapes.snapshotDepth }))
      .max(maxKeywords)
      .optional()
      .meta({
        description:
          'Keywords with a snapshot of fewer than 100 results in the window, and the fewest; absent when there are none.',
      }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    NOT_FOUND: 'This account has never tracked the keyword 42 for that application.',
    PLAN_LIMIT: beyondPlan,
  },
  async handler(deps: Deps, { account, plan, params, query, call, now }) {
    const { from, to } = resolveHistoryWindow(query, { plan, now });
    const { page, per_page: perPage } = query;
    const { keywords, total } = await deps.tracking.listRankHistories(
      {
        account_id: account.id,
        app_id: params.id,
        keyword_ids: query.keyword_ids ?? [],
        page,
        per_page: perPage,
        from,
        to,
        competitors: query.competitors ?? false,
      },
      call,
    );
    const shallow = keywords.flatMap(({ keyword_id: id, least_depth: depth }) =>
      depth != null && depth < shapes.fullSnapshotDepth ? [{ keyword_id: id, depth }] : [],
    );
    return {
      data: {
        app_id: params.id,
        keywords: keywords.map(({ keyword_id, keyword, apps }) => ({
          keyword_id,
          keyword,
          apps: apps.map((app) => ({
            app_id: app.app_id,
            title: app.title ?? null,
            is_own: app.is_own,
            history: app.history.map(({ date, rank }) => ({ date, rank: rank ?? null })),
          })),
        })),
      },
      meta: {
        ...shapes.toPaginationMeta(total, query),
        from,
        to,
        snapshot_depths: shallow.length > 0 ? shallow : undefined,
      },
    };
  },
});

function* toRankRows({ keywords }: z.output<typeof rankHistories>): Generator<z.output<typeof rankRow>> {
  for (const { apps, ...keyword } of keywords)
    for (const { history, ...app } of apps) for (const row of history) yield { ...keyword, ...app, ...row };
}
