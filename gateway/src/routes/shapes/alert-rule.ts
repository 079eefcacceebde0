import { maxAlertChannels } from '@shelfwise/facts/alerts/alert-channels';
import { alertKinds, feedKinds, maxKeywordIds } from '@shelfwise/facts/alerts/alert-kinds';
import type { AlertRule, KeywordScope, AlertKind as KindMessage } from '@shelfwise/proto/notify/v1/notify';
import { z } from 'zod';
import { toTimestamp } from '../answers/from-proto.ts';
import { wholeNumber } from '../route/fields.ts';
import * as shapes from './shapes.ts';

type Kind = (typeof alertKinds)[number];
type FeedKind = (typeof feedKinds)[number];

export const alertKind = z.enum(alertKinds).meta({
  description:
    'What it looks for. rank_drop, rank_rise: a rank changed by more than threshold places (default 5) and by more than 20 % of the better rank, which is 50 or better. entered_top, left_top: a rank came into the first threshold places (default 10), or left them. overtaken: a competitor that was behind is ahead. listing_changed: texts, version, icon or screenshots of the application or a competitor changed, or the store stopped or began to list it. rating_drop: the average rating of the application fell by at least threshold (default 0.1). audit_drop: its ASO Health fell by at least threshold points (default 5) between two complete audits of the same scoring version. chart_entered, chart_left: the application came into the first threshold places (default 100) of its top chart, or left them: the chart of its category in its country, of free or paid apps as its price is; the chart is then read daily. store_blocked, store_recovered: a store with an application of the account could not be read for half an hour, or can be read again; one alert for the store, none for its keywords. keyword_unread: keywords of the application were not read on threshold days (default 2) although their store could be; one alert for the application until all are read again. quota_used: threshold percent (default 80) of the month’s API requests are used; once a month.',
  examples: ['rank_drop'],
});

/** What an alert is about. */
export const feedKind = z.enum(feedKinds).meta({
  description:
    'What was found: the kinds of rules, and channel_off: nothing more is sent to a channel, because its receiver is gone or has failed for five days.',
  examples: ['rank_drop'],
});

const appIdMeta = {
  description:
    'Id of the application in Shelfwise; null: all that the account tracks. Always null for store_blocked, store_recovered and quota_used.',
  examples: [42],
};

/** The largest id, as of tools. */
const largestId = 999_999_999_999_999;

export const ruleAppId = wholeNumber(largestId).min(1).nullable().meta(appIdMeta);

export const ruleThreshold = z
  .number()
  .min(0.01)
  .max(100)
  .nullable()
  .meta({
    description:
      'Places of rank_drop and rank_rise, depth of entered_top, left_top, chart_entered and chart_left, and points of audit_drop: a whole number from 1 to 100. Stars of rating_drop: 0.01 to 4. Days of keyword_unread: 1 to 30. Percent of quota_used: 5 to 100, a multiple of 5. Null: the kind has none.',
    examples: [5],
  });

const keywordIds = z
  .array(shapes.keywordId.max(largestId))
  .min(1)
  .max(maxKeywordIds)
  .meta({ description: `1 to ${maxKeywordIds} keyword ids.`, examples: [[7, 8]] });

/** The keywords of a rule. */
export const ruleKeywords = z
  .union(
    [
      z.enum(['all', 'favorites']).meta({
        description: 'all: every tracked keyword. favorites: those that are favorites at that time.',
        examples: ['all'],
      }),
      keywordIds,
    ],
    { error: `must be all, favorites, or a list of 1 to ${maxKeywordIds} keyword ids` },
  )
  .meta({
    description:
      'The tracked keywords that a rule of ranks or of keyword_unread looks at: all, favorites, or a list of keyword ids; keywords that the account does not track give no alert.',
    examples: ['all'],
  });

/** Where its alerts are sent, in addition to the feed. */
export const ruleChannels = z
  .array(
    z
      .int()
      .min(1)
      .max(largestId)
      .meta({ description: 'Id of a channel.', examples: [1] }),
  )
  .refine((ids) => ids.length <= maxAlertChannels, `must have at most ${maxAlertChannels} ids`)
  .meta({
    maxItems: maxAlertChannels,
    description: 'Ids of the channels that its alerts are sent to; empty: they are in the feed only.',
    examples: [[1]],
  });

export const ruleIsEnabled = z
  .boolean()
  .meta({ description: 'Whether it looks; false: it is kept and finds nothing.', examples: [true] });

/** What an account wants to be notified of. */
export const alertRule = z.object({
  id: shapes.rowId('Id of the rule.', 4),
  app_id: ruleAppId,
  kind: alertKind,
  threshold: ruleThreshold,
  keywords: ruleKeywords,
  channels: ruleChannels,
  is_enabled: ruleIsEnabled,
  created_at: shapes.timestamp.meta({ description: 'When it was created.' }),
});

/** @throws when the reply has no rule, or none that is complete */
export function toAlertRule(rule: AlertRule | null): z.output<typeof alertRule> {
  if (rule === null) throw new Error('the reply of notify has no rule');
  return {
    id: rule.id,
    app_id: rule.app_id ?? null,
    kind: toKind(rule.kind),
    threshold: rule.threshold ?? null,
    keywords: toKeywords(rule.keywords),
    channels: rule.channel_ids,
    is_enabled: rule.is_enabled,
    created_at: toTimestamp(rule.created_at),
  };
}

/** @throws for an unknown kind, which no reply may contain */
function toKind(kind: KindMessage): Kind {
  return alertKind.parse(kind.toLowerCase());
}

export function toKindMessage(kind: FeedKind): KindMessage {
  return kind.toUpperCase() as Uppercase<FeedKind>;
}

function toKeywords(scope: KeywordScope | null): z.output<typeof ruleKeywords> {
  if (scope === null) throw new Error('the reply of notify has no keywords');
  if (scope.which === 'SOME') return scope.ids;
  return scope.which === 'FAVORITES' ? 'favorites' : 'all';
}

export function toKeywordScope(keywords: z.output<typeof ruleKeywords>): KeywordScope {
  if (typeof keywords !== 'string') return { which: 'SOME', ids: keywords };
  return { which: keywords === 'all' ? 'ALL' : 'FAVORITES', ids: [] };
}
