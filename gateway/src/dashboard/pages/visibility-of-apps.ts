import { toDayTexts } from '@shelfwise/dashboard/day-texts';
import { type Figure, known, unknown } from '@shelfwise/dashboard/figure';
import type { OverviewRow } from '@shelfwise/dashboard/pages/overview/model';
import { z } from 'zod';
import type { Clients } from '../../clients.ts';
import { defineRoute } from '../../routes/route/define-route.ts';
import { historyMeta, resolveHistoryWindow } from '../../routes/route/history-window.ts';
import { isStale } from '../../routes/shapes/ages.ts';
import * as shapes from '../../routes/shapes/shapes.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import { type PageContext, whyFailed } from './page-context.ts';

/** As many applications as scoring answers by one call; older ones have no picture. */
const maxApps = 50;
/** The days in the default window of a history. */
const maxDays = 31;

const visibilityOfApp = z.object({
  id: shapes.internalId,
  days: z.array(z.object({ date: shapes.date, score: z.number().min(0).max(100) })).max(maxDays),
  reason: z.enum(['basket_too_small', 'too_little_read']).nullable(),
});

const windowMeta = z.object(historyMeta);

type Deps = {
  tracking: Pick<Clients['tracking'], 'listApplications'>;
  scoring: Pick<Clients['scoring'], 'listVisibilityDays'>;
};

/**
 * The visibility of the newest applications on the days that have one. For the overview only, which has read the applications by the
 * same call (`shareReads`).
 */
export const listVisibilityOfApps = defineRoute({
  method: 'get',
  path: '/dashboard/applications/visibility',
  operationId: 'listVisibilityOfApps',
  tag: 'Applications',
  summary: 'List the visibility of applications by day',
  description: 'Of the overview.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  data: z.array(visibilityOfApp).max(maxApps),
  meta: windowMeta,
  async handler(deps: Deps, { account, plan, call, now }) {
    const { from, to } = resolveHistoryWindow({}, { plan, now });
    const { applications } = await deps.tracking.listApplications({ account_id: account.id }, call);
    const appIds = applications.flatMap(({ listing }) => listing?.id ?? []).slice(0, maxApps);
    const request = { app_ids: appIds, from, to };
    const reply = appIds.length > 0 ? await deps.scoring.listVisibilityDays(request, call) : null;
    return {
      data: (reply?.listings ?? []).map(({ app_id: id, days, reason }) => ({
        id,
        days: days.map(({ date, score }) => ({ date, score })),
        reason: visibilityOfApp.shape.reason.parse(reason ?? null),
      })),
      meta: { from, to },
    };
  },
});

type Answer = SessionAnswer<z.output<typeof listVisibilityOfApps.data>, z.output<typeof windowMeta>>;

/** The visibility of an application by its id, for its row. */
export function toVisibilityOf(
  { now }: Pick<PageContext, 'now'>,
  answer: Answer,
): (id: number) => OverviewRow['visibility'] {
  if ('failure' in answer) {
    const missing = unknown(whyFailed(answer) ?? 'no_answer');
    return () => ({ newest: missing, byDay: null });
  }
  const { from, to } = answer.meta;
  const byApp = new Map(answer.data.map((app) => [app.id, app]));
  return (id) => {
    const app = byApp.get(id);
    if (!app) return { newest: unknown('too_many'), byDay: null };
    const values = new Map(app.days.map(({ date, score }) => [date, score]));
    const byDay = { from, to, values: toDayTexts(from, to, (day) => values.get(day) ?? null) };
    return { newest: toNewest(app, now), byDay: values.size > 0 ? byDay : null };
  };
}

/** The score of the newest day that has one: with its day when that is before yesterday. */
function toNewest({ days, reason }: z.output<typeof visibilityOfApp>, now: Date): Figure {
  const newest = days.at(-1);
  if (!newest) return unknown(reason === 'basket_too_small' ? 'too_few_terms' : 'too_little_read');
  const { date: day, score: value } = newest;
  return isStale(day, now) ? { state: 'stale', value, day } : known(value);
}
