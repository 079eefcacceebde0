import type { Figure, Model } from '../../figure.ts';

/** An app as a row names it. */
type NamedApp = { id: string; title: string | null; storeId: string };

export type AlertRow = {
  id: string;
  kind: string;
  /** the UTC days of the two readings; `dayBefore` null: not known */
  day: string;
  dayBefore: string | null;
  /** null: it is about a store or a channel */
  app: NamedApp | null;
  /** the store that is away or back; null: it is about an app */
  store: 'ITUNES' | 'GPLAY' | null;
  /** the category of a chart that was entered or left; null: it is about something else */
  chart: string | null;
  /** null: it is about a listing, a chart or a store */
  keyword: { id: string; text: string } | null;
  /** who overtook, or whose listing changed; null: the app itself */
  other: NamedApp | null;
  /** rank or rating; not applicable for a changed listing */
  before: Figure;
  after: Figure;
  /** the name of a channel that was turned off; null: it is about something else */
  channel: string | null;
  /** names of what changed in a listing */
  fields: string[];
  /** a large drop that was read once only */
  isReadOnce: boolean;
};

export type RuleRow = {
  id: string;
  kind: string;
  /** null: all apps */
  app: NamedApp | null;
  threshold: Figure;
  /** how many keywords it names; not applicable: all of `which`, or `which` is null: its kind is about none */
  keywords: Figure;
  /** those that it names */
  keywordIds: string[];
  which: 'all' | 'favorites' | 'some' | null;
  /** ids of its channels */
  channels: string[];
  isEnabled: boolean;
};

/** What a form for a rule of this kind asks. */
export type RuleKind = {
  kind: string;
  /** of its input for the threshold, as attributes; null: the kind has none */
  threshold: { usual: string; min: string; max: string; step: string } | null;
  /** a rule of the kind is about all apps at once */
  isAboutAll: boolean;
  hasKeywords: boolean;
};

export type ChannelRow = {
  id: string;
  type: string;
  name: string;
  host: string;
  /** the last characters of its address */
  urlEnd: string;
  timing: string;
  /** null: it is on */
  offReason: string | null;
  /** ISO 8601; null: nothing was delivered yet, no delivery fails */
  lastSuccessAt: string | null;
  failingSince: string | null;
};

export type DigestRow = {
  id: string;
  /** id of its channel */
  channel: string;
  every: string;
  hour: Figure;
  timeZone: string;
  /** null: all apps */
  app: AlertRow['app'];
  /** ISO 8601 */
  nextAt: string;
};

export type AlertsModel = Model<{
  /** newest first; null: they could not be read */
  alerts: AlertRow[] | null;
  /** addresses of the pages before and after this one; null: there is none */
  newer: string | null;
  older: string | null;
  /** null: they could not be read */
  rules: RuleRow[] | null;
  /** null: they could not be read */
  channels: ChannelRow[] | null;
  /** null: they could not be read */
  digests: DigestRow[] | null;
  /** what a channel can be */
  channelTypes: string[];
  channelTimings: string[];
  kinds: RuleKind[];
}>;
