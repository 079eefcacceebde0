import type { ChannelOffReason } from '@shelfwise/facts/alerts/alert-channels';
import type { FeedKind } from '@shelfwise/facts/alerts/alert-kinds';
import type { ChartKey } from '@shelfwise/facts/stores/chart-key';
import type { Store } from '@shelfwise/facts/stores/store';

/** An app in an alert. */
export type AlertApp = {
  /** internal app id */
  id: number;
  /** store identifier */
  app_id: string;
  /** Null: the store did not say. */
  title: string | null;
};

/** The ranks of an app on the two days. */
export type AlertRank = { app_id: string; before: number | null; after: number | null };

/** A changed field of a listing. Null: not known, or not a short text. */
export type AlertField = { field: string; before: string | null; after: string | null };

/** A channel that was turned off. */
export type AlertChannel = { id: number; name: string; reason: ChannelOffReason };

/** A chart that an application entered or left, and how many places were compared: at most what both readings show. */
export type AlertChart = ChartKey & { depth: number };

/** What a rule found: the change between two readings. Or that a channel was turned off, which no rule found. */
export type Alert = {
  account_id: string;
  rule_id: number | null;
  kind: FeedKind;
  /** The rule's threshold at that time. */
  threshold: number | null;
  /** The application of the account. Null: it is about a store, a channel, or the account. */
  app: AlertApp | null;
  /** Null: it is about a listing, a chart or a store. */
  keyword: { id: number; text: string } | null;
  /** Rank, average rating, ASO Health, or `after` percent of the quota. Null: not ranked, or the kind has none. */
  before: number | null;
  after: number | null;
  /** YYYY-MM-DD: the UTC days of the two readings; null: the day of the one before is not known. */
  day_before: string | null;
  day_after: string;
  /** Of the application, then of the competitor. */
  ranks: AlertRank[];
  /** Whose listing changed, or who overtook; null: the application itself. */
  other_app: AlertApp | null;
  fields: AlertField[];
  /** Of a surprising drop: whether its page was read twice. Null: it needs no second look. */
  is_confirmed: boolean | null;
  /** The store that is away or back. Null: it is about an application. */
  store: Store | null;
  /** How many keywords of the application were not read. Null for the other kinds. */
  unread_keywords: number | null;
  /** What was turned off. Null for the other kinds. */
  channel: AlertChannel | null;
  /** What was entered or left. Null for the other kinds. */
  chart: AlertChart | null;
};

/** What most kinds do not have. */
export const noEvidence = {
  keyword: null,
  before: null,
  after: null,
  ranks: [],
  other_app: null,
  fields: [],
  is_confirmed: null,
  store: null,
  unread_keywords: null,
  channel: null,
  chart: null,
} satisfies Partial<Alert>;

/**
 * Identifies what an alert says, so that it is published once, however often its event arrives: one alert for each rule,
 * subject and day.
 */
export function alertKey(alert: Alert): string {
  const { rule_id: rule, app, store, keyword, other_app: other, day_after: day, channel } = alert;
  if (channel) return ['channel', channel.id, day].join(':');
  // Once a month.
  if (alert.kind === 'quota_used') return ['quota', rule, day.slice(0, 7)].join(':');
  return [rule, app?.id ?? store ?? '', keyword?.id ?? '', other?.id ?? '', day].join(':');
}
