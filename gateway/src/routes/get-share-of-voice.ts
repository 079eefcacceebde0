import type { ShareOfApp } from '@shelfwise/proto/scoring/v1/scoring';
import type { CompetitorRelation } from '@shelfwise/proto/tracking/v1/tracking';
import { daysBefore } from '@shelfwise/runtime/day';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { findTrackedListing, toTrackedApp } from './answers/tracked-app.ts';
import { csvTable } from './route/csv-table.ts';
import { defineRoute, type RouteRequest } from './route/define-route.ts';
import { appNotTracked, beyondPlan } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { historyMeta, historyQueryOf, resolveHistoryWindow, toOldestDay } from './route/history-window.ts';
import * as shapes from './shapes/shapes.ts';

const maxDays = 90;
/** If there are more, those that were added last. */
const maxCompetitors = 100;
const largestShown = 10;
const maxTerms = 50;
const changeDays = 7;

const share = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({
    description:
      'Share of the clicks on the result pages, 0 to 1, four decimals, or one significant digit of a smaller share; 0: on none of them. Null when the pages that were read have less than 80 % of the searches of the terms.',
    examples: [0.1834],
  });

const counts = {
  terms: z
    .int()
    .min(0)
    .max(maxTerms)
    .meta({ description: 'Number of terms that count.', examples: [12] }),
  terms_read: z
    .int()
    .min(0)
    .max(maxTerms)
    .meta({
      description: 'Number of these terms with a result page of that day or of the two days before.',
      examples: [12],
    }),
};

const term = z.object({
  keyword: shapes.keyword,
  weight: z
    .number()
    .min(0)
    .max(1)
    .meta({
      description:
        'Its searches divided by those of all terms that count, 0 to 1, four decimals, or one significant digit of a smaller one.',
      examples: [0.084],
    }),
  page_date: shapes.date.nullable().meta({
    description:
      'UTC day of its result page that counts on `date`; null: none was read on it or the two days before.',
  }),
});

const app = z.object({
  app_id: shapes.storeIdentifier,
  title: shapes.title.meta({ description: 'Title in the store; null when it is not known.' }),
  icon: shapes.icon.meta({ description: 'URL of the icon; null when it is not known.' }),
  is_own: z.boolean().meta({ description: 'Whether it is the application itself.', examples: [false] }),
  is_competitor: z
    .boolean()
    .meta({ description: 'Whether it is a competitor of the application.', examples: [true] }),
  share,
  change_7d: z
    .number()
    .min(-1)
    .max(1)
    .nullable()
    .meta({
      description:
        'The share minus that of seven days before, over the same terms, four decimals. Null unless enough was read on both days, and when your plan does not include the earlier one.',
      examples: [0.012],
    }),
});

const day = z.object({
  date: shapes.date,
  ...counts,
  apps: z
    .array(z.object({ app_id: shapes.storeIdentifier, share }))
    .max(maxCompetitors + 1)
    .meta({ description: 'The application, then its competitors.' }),
});

const shareOfVoice = z.object({
  app_id: shapes.internalId,
  app_title: shapes.appTitle,
  date: shapes.date
    .nullable()
    .meta({ description: 'The newest UTC day of the window with a result page; null: there is none.' }),
  ...counts,
  apps: z
    .array(app)
    .max(maxCompetitors + 1 + largestShown)
    .meta({
      description:
        'The ten apps with the largest shares on that day, the application and its competitors, each once, the largest share first.',
    }),
  others: share.meta({
    description: 'Share of all other apps on the result pages: all shares sum to 1. Null when they are null.',
    examples: [0.31],
  }),
  basket: z.array(term).max(maxTerms).meta({
    description:
      'Those of the terms that count that you track for the application, the largest weight first. The others are words of its texts in the store; their weights are what is missing to 1.',
  }),
  history: z.array(day).max(maxDays).meta({
    description:
      'The shares of the application and its competitors, one row per day, from the first day of the window with a result page.',
  }),
});

/** One row per app and day; the largest apps only on the newest day. */
const historyRow = z.object({
  date: shapes.date,
  ...counts,
  ...app.omit({ icon: true, share: true, change_7d: true }).shape,
  share,
});

export type ShareOfVoiceDeps = {
  tracking: Pick<Clients['tracking'], 'getTrackedListing' | 'listCompetitors'>;
  scoring: Pick<Clients['scoring'], 'getShareOfVoice'>;
};

const params = z.object({ id: idParameter('Id of the application in Shelfwise.') });
const query = z.object(historyQueryOf(maxDays));

export const getShareOfVoice = defineRoute({
  method: 'get',
  path: '/api/v1/applications/{id}/share-of-voice',
  operationId: 'getShareOfVoice',
  tag: 'Applications',
  summary: 'Get which share of the clicks an application and its rivals get',
  description: `How the clicks on the result pages of the application’s terms are shared among the apps on them, by their ranks and how much each term is searched. The terms are those of its visibility that this account tracks for it, or that its name, subtitle or description in the store has. It reads result pages that are kept, for ${maxDays} days, and calls no store. A window has at most ${maxDays} days; of more than ${maxCompetitors} competitors, those added last are compared.`,
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params,
  query,
  sample: { params: { id: 1 } },
  data: shareOfVoice,
  csv: csvTable(historyRow, toHistoryRows),
  meta: z.object({
    ...historyMeta,
    total: shapes.boundedCount(maxDays).meta({ description: 'Number of days in the history.' }),
    pages: shapes.boundedCount(maxTerms).meta({ description: 'Result pages behind the shares of `date`.' }),
    oldest_page: shapes.date
      .nullable()
      .meta({ description: 'UTC day of the oldest of them; null without any.' }),
    unread: shapes
      .boundedCount(maxTerms)
      .meta({ description: 'Terms without a result page of that day or the two before.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether competitors were left out, those added first.', examples: [false] }),
  }),
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: beyondPlan,
  },
  handler: async (deps: ShareOfVoiceDeps, request) =>
    (await answerShareOfVoice(deps, request, { withVisibility: false })).answer,
});

/** @returns the answer of the endpoint, and, if requested, the visibilities of each day of its history: 0 to 100, by app; null: unknown */
export async function answerShareOfVoice(
  deps: ShareOfVoiceDeps,
  { account, plan, params: { id }, query: sent, call, now }: RouteRequest<typeof params, typeof query, null>,
  { withVisibility }: { withVisibility: boolean },
) {
  const { from, to } = resolveHistoryWindow(sent, { plan, now, maxDays });
  // Both refuse an application of another account: scoring does not check who tracks it.
  const [listing, { relations }] = await Promise.all([
    findTrackedListing(deps, { account_id: account.id, id }, call),
    deps.tracking.listCompetitors({ account_id: account.id, app_id: id }, call),
  ]);
  const { title, app_id: ownId } = toTrackedApp(listing);
  const known = toKnownApps(relations);
  const competitorIds = [...known.keys()].slice(0, maxCompetitors);
  known.set(ownId, { title, icon: listing.listing?.icon ?? null });
  const reply = await deps.scoring.getShareOfVoice(
    {
      account_id: account.id,
      app: listing,
      competitor_app_ids: competitorIds,
      from,
      to,
      with_visibility: withVisibility ? true : undefined,
    },
    call,
  );
  const { terms, terms_read } = reply;
  const isChangeInPlan =
    reply.date != null && daysBefore(reply.date, changeDays) >= toOldestDay({ plan, now });
  const answer = {
    data: {
      app_id: id,
      app_title: title,
      date: reply.date ?? null,
      terms,
      terms_read,
      apps: reply.apps.map((one) => ({
        ...toApp(one, known),
        change_7d: isChangeInPlan ? (one.change_7d ?? null) : null,
      })),
      others: reply.others ?? null,
      basket: reply.basket.map(({ keyword, weight, page_date = null }) => ({ keyword, weight, page_date })),
      history: reply.history.map((one) => ({
        date: one.date,
        terms: one.terms,
        terms_read: one.terms_read,
        apps: one.apps.map(({ app_id, share }) => ({ app_id, share: share ?? null })),
      })),
    },
    meta: {
      from,
      to,
      total: reply.history.length,
      pages: terms_read,
      oldest_page: reply.oldest_page ?? null,
      unread: terms - terms_read,
      truncated: known.size - 1 > competitorIds.length,
    },
  };
  const visibilities = reply.history.map(({ apps }) =>
    Object.fromEntries(apps.map(({ app_id, visibility = null }) => [app_id, visibility])),
  );
  return { answer, visibilities };
}

/** How an app looks in the store, as tracking read it last. */
type Look = { title: string | null; icon: string | null };

/** The competitors by store identifier, those added last first. */
function toKnownApps(relations: readonly CompetitorRelation[]): Map<string, Look> {
  return new Map(
    relations.flatMap(({ competitor }) => {
      const shown = competitor?.listing;
      return shown ? [[shown.app_id, { title: shown.title ?? null, icon: shown.icon ?? null }] as const] : [];
    }),
  );
}

/** Tracking knows the application and its competitors better than a result page does. */
function toApp(
  { app_id, title = null, icon = null, ...one }: ShareOfApp,
  known: ReadonlyMap<string, Look>,
): Omit<z.output<typeof app>, 'change_7d'> {
  const look = known.get(app_id);
  return {
    app_id,
    title: look?.title ?? title,
    icon: look?.icon ?? icon,
    is_own: one.is_own,
    is_competitor: one.is_competitor,
    share: one.share ?? null,
  };
}

function* toHistoryRows({
  date: newest,
  apps,
  history,
}: z.output<typeof shareOfVoice>): Generator<z.output<typeof historyRow>> {
  const byId = new Map(apps.map((one) => [one.app_id, one]));
  for (const { apps: shares, ...counted } of history) {
    const named = new Set(shares.map(({ app_id }) => app_id));
    const largest = counted.date === newest ? apps.filter(({ app_id }) => !named.has(app_id)) : [];
    for (const { app_id, share } of [...shares, ...largest]) {
      const { title = null, is_own = false, is_competitor = false } = byId.get(app_id) ?? {};
      yield { ...counted, app_id, title, is_own, is_competitor, share };
    }
  }
}
