import type { MatrixRow } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idListParameter, idParameter, integerParameterWithDefault } from './route/fields.ts';
import {
  checkComparedDays,
  explainDaysBeyondPlan,
  maxWindowDays,
  toOldestDay,
} from './route/history-window.ts';
import { keywordListFields, keywordListMeta, resolveKeywordList } from './route/keyword-list.ts';
import { isStale, rankAge, resultCount } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

export const maxCompetitors = 5;

const app = z.object({
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  is_own: z
    .boolean()
    .meta({ description: 'Whether it is the application itself, not a competitor.', examples: [true] }),
  competitor_id: shapes.relationId.nullable().meta({
    description: 'Id of the competitor, as in the list of competitors; null for the application itself.',
  }),
});

const states = ['ranked', 'not_ranked', 'unread', 'stale'] as const;

const rankOfApp = z.object({
  app_id: shapes.storeIdentifier,
  rank: shapes.rank.meta({ description: 'Rank in the latest snapshot; null: not among its results.' }),
  state: z.enum(states).meta({
    description:
      'What the rank says. not_ranked: not among the results of that day. stale: the snapshot is from before yesterday, whether the app ranks in it or not. unread: there is no snapshot.',
    examples: ['ranked'],
  }),
  delta: shapes.rankDelta.meta({
    description:
      'The rank `days` days before rank_date minus this one, so that positive is up. Null unless both days were read and the app ranked on both.',
  }),
});

const keywordFields = {
  keyword_id: shapes.keywordId,
  keyword: shapes.keyword,
  traffic_score: shapes.measuredScore('How much it is searched for'),
  is_partial: shapes.isPartial,
  difficulty_score: shapes.measuredScore('How hard it is to rank'),
  ...rankAge,
  depth: resultCount,
};

const matrix = z.object({
  apps: z
    .array(app)
    .max(maxCompetitors + 1)
    .meta({ description: 'The application, then its competitors.' }),
  rows: z
    .array(
      z.object({
        ...keywordFields,
        ranks: z
          .array(rankOfApp)
          .max(maxCompetitors + 1)
          .meta({ description: 'One of each app, in their order.' }),
      }),
    )
    .max(shapes.maxListRows)
    .meta({ description: 'One per keyword.' }),
});

/** One row per keyword and app. */
const matrixRow = z.object({ ...keywordFields, ...rankOfApp.shape });

type Deps = { tracking: Pick<Clients['tracking'], 'listRankMatrix'> };

export const listRankMatrix = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/rank-matrix',
  operationId: 'listRankMatrix',
  tag: 'Applications',
  summary: 'Compare the ranks of an application with those of its competitors',
  description:
    'The latest rank of the application and of up to five competitors for each tracked keyword, and how it differs from the one `days` days before. It reads result pages that are kept, and calls no store. Rows are narrowed, ordered and paged as in the list of keywords; an order by delta is by the delta of the application.',
  cost: 0,
  services: ['tracking'],
  deadlineMs: 5000,
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object({
    days: integerParameterWithDefault(
      'How many days before the latest snapshot delta compares with.',
      maxWindowDays,
      7,
    ),
    competitor_ids: idListParameter(
      `Only these competitors, in this order: up to ${maxCompetitors} ids of the list of competitors, separated by commas. Without it: those added last.`,
      maxCompetitors,
    ).optional(),
    ...keywordListFields,
  }),
  sample: { params: { id: 1 }, query: { days: 1, page: 1 } },
  data: matrix,
  csv: csvTable(matrixRow, toMatrixRows),
  meta: keywordListMeta({
    pages: shapes.count.meta({ description: 'Result pages that this answer was made from.' }),
    oldest_page: shapes.date
      .nullable()
      .meta({ description: 'UTC day of the oldest of them; null without any.' }),
    unread: shapes.count.meta({
      description:
        'Keywords of this answer without a result page: none, since a keyword is tracked once it has one.',
    }),
    truncated: z.boolean().meta({
      description: 'Whether keywords were left out: never, since the rows are paged.',
      examples: [false],
    }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    NOT_FOUND: 'This account has no competitor with that id.',
    PLAN_LIMIT: explainDaysBeyondPlan(7),
  },
  async handler(deps: Deps, { account, plan, params, query, call, now }) {
    checkComparedDays(query.days, plan);
    const { asked, toMeta } = resolveKeywordList(query);
    const { apps, rows, total } = await deps.tracking.listRankMatrix(
      {
        account_id: account.id,
        app_id: params.id,
        days: query.days,
        competitor_ids: query.competitor_ids ?? [],
        ...asked,
        oldest_day: toOldestDay({ plan, now }),
      },
      call,
    );
    const days = rows.map((row) => row.rank_date).sort();
    return {
      data: {
        apps: apps.map(({ app_id, title, competitor_id: id }) => ({
          app_id,
          title: title ?? null,
          is_own: id == null,
          competitor_id: id ?? null,
        })),
        rows: rows.map((row) =>
          toRow(
            row,
            apps.map((one) => one.app_id),
            now,
          ),
        ),
      },
      meta: {
        ...toMeta(total),
        pages: rows.length,
        oldest_page: days[0] ?? null,
        unread: 0,
        truncated: false,
      },
    };
  },
});

function toRow(
  row: MatrixRow,
  appIds: readonly string[],
  now: Date,
): z.output<typeof matrix>['rows'][number] {
  const stale = isStale(row.rank_date, now);
  return {
    keyword_id: row.keyword_id,
    keyword: row.keyword,
    traffic_score: row.traffic_score ?? null,
    is_partial: row.is_partial,
    difficulty_score: row.difficulty_score ?? null,
    rank_date: row.rank_date,
    stale,
    depth: row.depth,
    ranks: row.ranks.map(({ rank = null, delta = null }, index) => ({
      app_id: appIds[index] ?? '',
      rank,
      state: stale ? 'stale' : rank === null ? 'not_ranked' : 'ranked',
      delta,
    })),
  };
}

function* toMatrixRows({ rows }: z.output<typeof matrix>): Generator<z.output<typeof matrixRow>> {
  for (const { ranks, ...keyword } of rows) for (const rank of ranks) yield { ...keyword, ...rank };
}
