/** The kinds of alert rules about the ranks of tracked keywords. */
export const rankKinds = ['rank_drop', 'rank_rise', 'entered_top', 'left_top', 'overtaken'] as const;
/** The kinds of alert rules about listings. */
export const listingKinds = ['listing_changed', 'rating_drop'] as const;

/** The kinds about the top chart of an application: of its category in its country, free or paid as its price is. */
export const chartKinds = ['chart_entered', 'chart_left'] as const;

/** The kinds of rules that look at tracked keywords, or only at some of them. */
export const keywordKinds = [...rankKinds, 'keyword_unread'] as const;
/** The kinds about a store. */
const storeKinds = ['store_blocked', 'store_recovered'] as const;
/** The kinds about no application of their own: a rule names none. */
export const wholeAccountKinds = [...storeKinds, 'quota_used'] as const;

export const alertKinds = [
  ...rankKinds,
  ...listingKinds,
  'audit_drop',
  ...chartKinds,
  ...storeKinds,
  'keyword_unread',
  'quota_used',
] as const;

/** What the feed has besides what rules find: that nothing more is sent to a channel. */
export const feedKinds = [...alertKinds, 'channel_off'] as const;

export type RankKind = (typeof rankKinds)[number];
export type ChartKind = (typeof chartKinds)[number];
/** What an alert rule looks for. */
export type AlertKind = (typeof alertKinds)[number];

/** What an alert in the feed is about. */
export type FeedKind = (typeof feedKinds)[number];

/** Percent of the month's API requests between two reports of their use. */
export const quotaStep = 5;

/** The threshold of a kind: its default, its range with both ends, and what it is a multiple of; null: of nothing. */
type Threshold = { usual: number; min: number; max: number; step: number | null };

const places: Threshold = { usual: 5, min: 1, max: 100, step: 1 };
const depth: Threshold = { usual: 10, min: 1, max: 100, step: 1 };
/** What both stores show of a chart. */
const chartDepth: Threshold = { usual: 100, min: 1, max: 100, step: 1 };
const points: Threshold = { usual: 5, min: 1, max: 100, step: 1 };
const days: Threshold = { usual: 2, min: 1, max: 30, step: 1 };
const percent: Threshold = { usual: 80, min: quotaStep, max: 100, step: quotaStep };
const stars: Threshold = { usual: 0.1, min: 0.01, max: 4, step: null };

/** Null: the kind has no threshold. */
export const thresholds: Readonly<Record<AlertKind, Threshold | null>> = {
  rank_drop: places,
  rank_rise: places,
  entered_top: depth,
  left_top: depth,
  overtaken: null,
  listing_changed: null,
  rating_drop: stars,
  audit_drop: points,
  chart_entered: chartDepth,
  chart_left: chartDepth,
  store_blocked: null,
  store_recovered: null,
  keyword_unread: days,
  quota_used: percent,
};

/**
 * How many alerts of an account the feed keeps at least, in the last 400 days; it has at most 1,000 more. A row with its indexes takes
 * about 1 KB, so an account fills at most some 100 MB.
 */
export const keptAlerts = 100_000;

/** The most rules of an account, and the most keywords that a rule names. */
export const maxAlertRules = 200;
export const maxKeywordIds = 200;
