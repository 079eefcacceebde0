import { type Mover, Mover_Status as Status } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute, type RouteRequest } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter, textToInteger } from './route/fields.ts';
import { checkComparedDays, explainDaysBeyondPlan, toOldestDay } from './route/history-window.ts';
import { maxPageRows, pagedList, pageFields } from './route/paged-list.ts';
import { isStale, rankAge } from './shapes/ages.ts';
import * as shapes from './shapes/shapes.ts';

const period = z.literal([1, 7, 30], { error: 'must be 1, 7 or 30' }).meta({
  description: 'How many days the earlier snapshot is older, at least.',
  examples: [7],
  default: 7,
});

const statuses = ['up', 'down', 'same', 'entered', 'left'] as const;

const mover = z.object({
  keyword_id: shapes.keywordId,
  keyword: shapes.keyword,
  from_date: shapes.date.meta({ description: 'Day of the earlier snapshot.' }),
  to_date: shapes.date.meta({ description: 'Day of the latest snapshot.' }),
  rank_before: shapes.rank.meta({
    description: 'Rank in the earlier snapshot; null: not in the top 100 of that snapshot.',
  }),
  rank_now: shapes.rank.meta({
    description: 'Rank in the latest snapshot; null: not in the top 100 of that snapshot.',
  }),
  delta: shapes.rankDelta.meta({
    description: 'rank_before - rank_now: positive is up. Null when either rank is null.',
  }),
  ...rankAge,
  status: z.enum(statuses).meta({
    description:
      'entered: ranked now and not before. left: ranked before and not now. same: the same rank, or none in both.',
    examples: ['up'],
  }),
});

const total = (description: string) => shapes.count.meta({ description });

export type MoversDeps = { tracking: Pick<Clients['tracking'], 'listMovers'> };

export const moversParams = z.object({ id: idParameter('Id of the application in Shelfwise.') });
export const moversQuery = z.object({
  days: z.preprocess(textToInteger, period).default(7),
  ...pageFields,
});

export const listMovers = defineRoute({
  ...pagedList(mover),
  path: '/api/v1/applications/{id}/movers',
  operationId: 'listMovers',
  tag: 'Applications',
  summary: 'List the keywords of an application by how far their ranks moved',
  description:
    'Compares the latest snapshot of each tracked keyword with the newest one that is at least `days` days older. The biggest movement comes first; here an app that is not ranked has rank 101. Keywords without both snapshots are not listed but counted in meta.unread. The earlier snapshot is at most 400 days old, or as many days as the plan has history. Read both dates of a row: the latest snapshot may be older than today, and the earlier one older than `days` says.',
  cost: 0,
  services: ['tracking'],
  params: moversParams,
  query: moversQuery,
  sample: { params: { id: 1 }, query: { days: 1 } },
  meta: shapes.paginationMeta.extend({
    up: total('Keywords that rank better, on all pages.'),
    down: total('Keywords that rank worse.'),
    same: total('Keywords with the same rank, or with none in both snapshots.'),
    entered: total('Keywords for which the app ranks now and did not before.'),
    left: total('Keywords for which the app ranked before and does not now.'),
    unread: total('Tracked keywords that are not listed because they do not have both snapshots.'),
    snapshot_depths: z
      .array(z.object({ keyword_id: shapes.keywordId, date: shapes.date, depth: shapes.snapshotDepth }))
      .max(2 * maxPageRows)
      .optional()
      .meta({
        description:
          'Snapshots of this page with fewer than 100 results, in which a missing rank says less; absent when there are none.',
      }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: explainDaysBeyondPlan(7),
  },
  handler: async (deps: MoversDeps, request) => (await answerMovers(deps, request)).answer,
});

/**
 * @param top how many keywords that bring most are requested
 * @returns the answer of the endpoint, how many keywords rank where in the latest snapshots (null: there is none), and the keywords that
 *   bring most
 */
export async function answerMovers(
  deps: MoversDeps,
  {
    account,
    plan,
    params,
    query,
    call,
    now,
  }: Omit<RouteRequest<typeof moversParams, typeof moversQuery, null>, 'body' | 'isCsv'>,
  { top: topCount }: { top?: number } = {},
) {
  const { days, page, per_page: perPage } = query;
  checkComparedDays(days, plan);
  const {
    movers,
    totals,
    unread,
    latest = null,
    top = null,
  } = await deps.tracking.listMovers(
    {
      account_id: account.id,
      app_id: params.id,
      days,
      oldest_day: toOldestDay({ plan, now }),
      page,
      per_page: perPage,
      top: topCount,
    },
    call,
  );
  if (totals === null) throw new Error('the reply of tracking has no totals');
  const { up, down, same, entered, left } = totals;
  const answer = {
    data: movers.map((row) => toRow(row, now)),
    meta: {
      ...shapes.toPaginationMeta(up + down + same + entered + left, query),
      up,
      down,
      same,
      entered,
      left,
      unread,
      snapshot_depths: toSnapshotDepths(movers),
    },
  };
  return { answer, latest, top: top?.keywords ?? [] };
}

const statusOf: Readonly<Partial<Record<Status, (typeof statuses)[number]>>> = {
  [Status.UP]: 'up',
  [Status.DOWN]: 'down',
  [Status.SAME]: 'same',
  [Status.ENTERED]: 'entered',
  [Status.LEFT]: 'left',
};

/** @throws for an unknown status, which no reply may contain */
function toRow(row: Mover, now: Date): z.output<typeof mover> {
  const status = statusOf[row.status];
  if (!status) throw new Error(`the reply of tracking has the unknown status ${row.status}`);
  return {
    keyword_id: row.keyword_id,
    keyword: row.keyword,
    from_date: row.from_date,
    to_date: row.to_date,
    rank_before: row.rank_before ?? null,
    rank_now: row.rank_now ?? null,
    delta: row.delta ?? null,
    rank_date: row.to_date,
    stale: isStale(row.to_date, now),
    status,
  };
}

function toSnapshotDepths(movers: readonly Mover[]) {
  const depths = movers.flatMap((row) => [
    { keyword_id: row.keyword_id, date: row.from_date, depth: row.from_depth },
    { keyword_id: row.keyword_id, date: row.to_date, depth: row.to_depth },
  ]);
  const shallow = depths.filter(({ depth }) => depth < shapes.fullSnapshotDepth);
  return shallow.length === 0 ? undefined : shallow;
}
