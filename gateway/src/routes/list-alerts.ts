import { channelOffReasons } from '@shelfwise/facts/alerts/alert-channels';
import type { Alert, AlertApp, AlertChart, AlertEvidence } from '@shelfwise/proto/notify/v1/notify';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { toTimestamp } from './answers/from-proto.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { categoryKey, collection } from './route/chart-fields.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter, textToInteger, wholeNumber } from './route/fields.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { alertChannel } from './shapes/alert-channel.ts';
import { alertRule, feedKind, ruleThreshold, toKindMessage } from './shapes/alert-rule.ts';
import * as shapes from './shapes/shapes.ts';

const app = z.object({
  id: shapes.internalId,
  app_id: shapes.storeIdentifier,
  title: shapes.title,
});

const rank = (when: string) =>
  z
    .int()
    .min(1)
    .max(200)
    .nullable()
    .meta({
      description: `Rank on the day ${when}, for a chart up to 200; null: not in the top 100, or not in the chart.`,
      examples: [3],
    });

const value = (when: string) =>
  z
    .number()
    .min(0)
    .max(200)
    .nullable()
    .meta({
      description: `Rank of the application on the day ${when}; for chart_entered and chart_left its rank in the chart, for rating_drop its average rating, for audit_drop its ASO Health${when === 'after' ? ', for quota_used the used percent' : ''}. Null: not in the top 100, or not in the chart; for the other kinds always.`,
      examples: [3],
    });

const fieldText = (when: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The text ${when}; null: not known, or not a short text.`, examples: ['Habits'] });

const changedField = z.object({
  field: z
    .enum(['title', 'subtitle', 'description', 'version', 'icon', 'screenshots', 'unlisted_since'])
    .meta({
      description: 'What changed. unlisted_since: the store stopped to list the app, or lists it again.',
      examples: ['title'],
    }),
  before: fieldText('before'),
  after: fieldText('from this day on'),
});

const evidence = z.object({
  days: z
    .object({
      before: shapes.date.nullable().meta({
        description: 'The UTC day of the reading before; null: not known.',
        examples: ['2026-01-30'],
      }),
      after: shapes.date.meta({ description: 'The UTC day of the reading that shows the change.' }),
    })
    .meta({
      description:
        'The two days that are compared. Both were read; days between them were not, or their pages were empty, suspect or much shorter than before. For store_blocked and store_recovered: the day on which the failures began, and the day of the alert. For keyword_unread: the day on which the keywords were last read, and the day of the alert. For quota_used: null, and the day of the alert.',
    }),
  threshold: ruleThreshold.meta({ description: 'Threshold of the rule at that time; null: it has none.' }),
  ranks: z
    .array(z.object({ app_id: shapes.storeIdentifier, before: rank('before'), after: rank('after') }))
    .max(2)
    .meta({
      description:
        'Ranks of the application, for keywords or in the chart, and for overtaken then of the competitor; else empty.',
    }),
  other_app: app.nullable().meta({
    description: 'The competitor that overtook, or whose listing changed; null: it is about the application.',
  }),
  fields: z
    .array(changedField)
    .max(7)
    .meta({ description: 'For listing_changed, what changed; else empty.' }),
  is_confirmed: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Of a drop of more than 20 places, or out of the top 100. true: the page was read twice, and shows it still. false: it was read once only, so it may be a fault of the store. Null: the change is small enough that one reading is trusted.',
      examples: [false],
    }),
  unread_keywords: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description:
        'For keyword_unread, how many keywords of the application were not read. Null: another kind.',
      examples: [3],
    }),
  store: shapes.store.nullable().meta({
    description:
      'For store_blocked and store_recovered the store: ITUNES or GPLAY. Null: about an application.',
    examples: [null],
  }),
  channel: z
    .object({
      id: alertChannel.shape.id,
      name: alertChannel.shape.name,
      reason: z.enum(channelOffReasons).meta({
        description: 'Why it is off: gone, no_success or unsubscribed, as in the list of channels.',
        examples: ['gone'],
      }),
    })
    .nullable()
    .meta({ description: 'For channel_off the channel. Null: another kind.', examples: [null] }),
  chart: z
    .object({
      store: shapes.store,
      country: shapes.country,
      category: categoryKey,
      collection,
      depth: z
        .int()
        .min(1)
        .max(100)
        .meta({
          description:
            'How many places were compared: the threshold, or the places that both readings show if these are fewer.',
          examples: [100],
        }),
    })
    .nullable()
    .meta({
      description: 'For chart_entered and chart_left the chart. Null: another kind.',
      examples: [null],
    }),
});

const alert = z.object({
  id: shapes.rowId(
    'Id of the alert: counts the alerts of the account, and is never visible before a smaller one.',
    12,
  ),
  kind: feedKind,
  at: shapes.timestamp.meta({ description: 'When it was found.' }),
  rule_id: alertRule.shape.id
    .nullable()
    .meta({ description: 'Id of the rule that found it; null: no rule did, as for channel_off.' }),
  app: app.nullable().meta({
    description:
      'The application of the account; null: about a store and all applications there, about a channel, or about the quota.',
  }),
  keyword_id: shapes.keywordId
    .nullable()
    .meta({ description: 'Id of the keyword; null: about a listing, a chart or a store.' }),
  keyword: z
    .string()
    .nullable()
    .meta({
      description: 'The keyword; null: about a listing, a chart or a store.',
      examples: ['habit tracker'],
    }),
  before: value('before'),
  after: value('after'),
  evidence: evidence.meta({ description: 'What the alert rests on.' }),
  text: z.string().meta({
    description:
      'The alert in one sentence, as plain text: titles and keywords in it are not made safe for HTML or other markup.',
    examples: [
      'Habitember - Habit Tracker fell for “habit tracker”: from rank 3 to rank 14 between 2026-01-30 and 2026-01-31.',
    ],
  }),
});

const explainNoId = ({ input }: z.core.$ZodRawIssue) =>
  typeof input === 'object' || input === undefined ? undefined : 'must be a whole number from 0';

/** As of ids in tools. */
const largestId = 999_999_999_999_999;

const sinceParameter = z.preprocess(
  textToInteger,
  wholeNumber(largestId, explainNoId)
    .min(0, { error: explainNoId })
    .meta({
      description:
        'Only alerts with a greater id, oldest first: a client that sends the last id it has seen misses none. 0: from the first one that is kept on. When later alerts were deleted for their age or number, 400 says which id to send. Without since: all, newest first.',
      examples: [12],
    }),
);

type Deps = {
  notify: Pick<Clients['notify'], 'listAlerts'>;
  tracking: Pick<Clients['tracking'], 'getTrackedListing'>;
};

export const listAlerts = defineRoute({
  ...pagedList(alert),
  path: '/api/v1/alerts',
  operationId: 'listAlerts',
  tag: 'Alerts',
  summary: 'List the alerts',
  description:
    'What the alert rules of this account found in the daily readings, kept 400 days, the last 100,000 at least. A change is measured between two days that were read. A keyword has no alert of ranks on a day without a reading, with an empty page or with a page of a storefront that shows signs of wrong pages. The same holds for a week while its page has lost two thirds of ten results or more. The next whole page is compared with the last one. Each rule reports a change once.',
  cost: 0,
  services: ['notify', 'tracking'],
  query: z.object({
    since: sinceParameter.optional(),
    kind: feedKind.meta({ description: 'Only alerts of this kind.' }).optional(),
    app_id: idParameter('Only alerts of this application: its id in Shelfwise.').optional(),
    ...pageFields,
  }),
  errors: { APP_NOT_FOUND: appNotTracked },
  async handler(deps: Deps, { account, query, call }) {
    const { since, kind, app_id: appId, page, per_page: perPage } = query;
    if (appId !== undefined) await findTrackedListing(deps, { account_id: account.id, id: appId }, call);
    const { alerts, total } = await deps.notify.listAlerts(
      {
        account_id: account.id,
        since,
        kind: kind && toKindMessage(kind),
        app_id: appId,
        page,
        per_page: perPage,
      },
      call,
    );
    return { data: alerts.map(toAlert), meta: shapes.toPaginationMeta(total, query) };
  },
});

/** @throws when the reply is not complete */
function toAlert(reply: Alert): z.output<typeof alert> {
  const { evidence: found } = reply;
  if (!found) throw new Error('the reply of notify has an alert without evidence');
  return {
    id: reply.id,
    kind: feedKind.parse(reply.kind.toLowerCase()),
    at: toTimestamp(reply.at),
    rule_id: reply.rule_id ?? null,
    app: reply.app && toApp(reply.app),
    keyword_id: reply.keyword_id ?? null,
    keyword: reply.keyword ?? null,
    before: reply.before ?? null,
    after: reply.after ?? null,
    evidence: {
      days: { before: found.day_before ?? null, after: found.day_after },
      threshold: found.threshold ?? null,
      ranks: found.ranks.map((one) => ({
        app_id: one.app_id,
        before: one.before ?? null,
        after: one.after ?? null,
      })),
      other_app: found.other_app && toApp(found.other_app),
      fields: found.fields.map(({ field, before = null, after = null }) => ({
        field: changedField.shape.field.parse(field),
        before,
        after,
      })),
      is_confirmed: found.is_confirmed ?? null,
      unread_keywords: found.unread_keywords ?? null,
      store: found.store == null ? null : shapes.store.parse(found.store),
      channel: toChannel(found),
      chart: toChart(found.chart),
    },
    text: reply.text,
  };
}

function toChannel(found: AlertEvidence): z.output<typeof evidence>['channel'] {
  const { channel_id: id, channel_name: name, off_reason: reason } = found;
  if (id == null || name == null || reason == null) return null;
  return { id, name, reason: evidence.shape.channel.unwrap().shape.reason.parse(reason.toLowerCase()) };
}

function toChart(message: AlertChart | null): z.output<typeof evidence>['chart'] {
  if (message === null) return null;
  const { store, country, category, depth } = message;
  const { shape } = evidence.shape.chart.unwrap();
  return {
    store: shape.store.parse(store),
    country,
    category,
    collection: shape.collection.parse(message.collection.toLowerCase()),
    depth,
  };
}

function toApp(message: AlertApp): z.output<typeof app> {
  return { id: message.id, app_id: message.app_id, title: message.title ?? null };
}
