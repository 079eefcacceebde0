import { type Figure, known } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type {
  AlertRow,
  ChannelRow,
  DigestRow,
  RuleKind,
  RuleRow,
} from '@shelfwise/dashboard/pages/alerts/model';
import { channelTimings, channelTypes } from '@shelfwise/facts/alerts/alert-channels';
import {
  type AlertKind,
  alertKinds,
  keywordKinds,
  thresholds,
  wholeAccountKinds,
} from '@shelfwise/facts/alerts/alert-kinds';
import { categoryLabel } from '@shelfwise/facts/stores/categories';
import type { z } from 'zod';
import { listAlertChannels } from '../../routes/list-alert-channels.ts';
import { listAlertDigests } from '../../routes/list-alert-digests.ts';
import { listAlertRules } from '../../routes/list-alert-rules.ts';
import { listAlerts } from '../../routes/list-alerts.ts';
import { listApplications } from '../../routes/list-applications.ts';
import { maxPageRows } from '../../routes/route/paged-list.ts';
import { dataOf, dataOr, type PageContext, toFrame } from './page-context.ts';

type Alert = z.output<typeof listAlerts.data>[number];
type Rule = z.output<typeof listAlertRules.data>[number];
type Channel = z.output<typeof listAlertChannels.data>[number];
type Digest = z.output<typeof listAlertDigests.data>[number];
type Application = z.output<typeof listApplications.data>[number];

/** How deep the pages of keywords are read. */
const depth = 100;
const notApplicable: Figure = { state: 'not_applicable' };

/** Five calls: the apps, a page of alerts, newest first, all rules, all channels and all digests. */
export async function buildAlerts(context: PageContext, query: Record<string, unknown>): Promise<PageData> {
  const page = typeof query.page === 'string' && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
  const [applications, alerts, rules, channels, digests] = await Promise.all([
    context.call(listApplications),
    context.call(listAlerts, { query: { page: String(page) } }),
    context.call(listAlertRules, { query: { per_page: String(maxPageRows) } }),
    context.call(listAlertChannels),
    context.call(listAlertDigests),
  ]);
  const apps = dataOf(applications);
  const address = (to: number) => `/dashboard/alerts${to === 1 ? '' : `?page=${to}`}`;
  return {
    page: 'alerts',
    frame: toFrame(context, apps),
    model: {
      alerts: dataOr(alerts, null)?.map(toAlertRow) ?? null,
      newer: page > 1 ? address(page - 1) : null,
      older: 'meta' in alerts && alerts.meta.has_more ? address(page + 1) : null,
      rules: dataOr(rules, null)?.map((rule) => toRuleRow(rule, apps)) ?? null,
      channels: dataOr(channels, null)?.map(toChannelRow) ?? null,
      digests: dataOr(digests, null)?.map((digest) => toDigestRow(digest, apps)) ?? null,
      channelTypes: [...channelTypes],
      // What is usual comes first.
      channelTimings: [...channelTimings],
      kinds: alertKinds.map(toRuleKind),
    },
  };
}

function toRuleKind(kind: AlertKind): RuleKind {
  const range = thresholds[kind];
  return {
    kind,
    threshold: range && {
      usual: String(range.usual),
      min: String(range.min),
      max: String(range.max),
      step: String(range.step ?? range.min),
    },
    isAboutAll: (wholeAccountKinds as readonly AlertKind[]).includes(kind),
    hasKeywords: hasKeywords(kind),
  };
}

function hasKeywords(kind: AlertKind): boolean {
  return (keywordKinds as readonly AlertKind[]).includes(kind);
}

function toAlertRow(alert: Alert): AlertRow {
  const { kind, evidence } = alert;
  const other = evidence.other_app;
  return {
    id: String(alert.id),
    kind,
    day: evidence.days.after,
    dayBefore: evidence.days.before,
    app: alert.app && toNamedApp(alert.app),
    store: evidence.store,
    chart: evidence.chart && categoryLabel(evidence.chart.store, evidence.chart.category),
    keyword: alert.keyword_id === null ? null : { id: String(alert.keyword_id), text: alert.keyword ?? '' },
    other: other && toNamedApp(other),
    before: toFigure(alert, alert.before),
    after: toFigure(alert, alert.after),
    channel: evidence.channel?.name ?? null,
    fields: evidence.fields.map(({ field }) => field),
    isReadOnce: evidence.is_confirmed === false,
  };
}

/** A missing rank means that the app was not on the page, or not in the chart; a changed listing has no number. */
function toFigure({ keyword_id: keywordId, evidence }: Alert, value: number | null): Figure {
  if (value !== null) return known(value);
  const shown = evidence.chart?.depth ?? (keywordId === null ? null : depth);
  return shown === null ? notApplicable : { state: 'not_ranked', depth: shown, day: null };
}

function toRuleRow(rule: Rule, apps: readonly Application[]): RuleRow {
  const { keywords } = rule;
  const which = typeof keywords === 'string' ? keywords : 'some';
  return {
    id: String(rule.id),
    kind: rule.kind,
    app: toAppOf(rule.app_id, apps),
    threshold: knownOrNone(rule.threshold),
    keywords: typeof keywords === 'string' ? notApplicable : known(keywords.length),
    keywordIds: typeof keywords === 'string' ? [] : keywords.map(String),
    which: hasKeywords(rule.kind) ? which : null,
    channels: rule.channels.map(String),
    isEnabled: rule.is_enabled,
  };
}

/** Null: all apps. */
function toAppOf(appId: number | null, apps: readonly Application[]): RuleRow['app'] {
  if (appId === null) return null;
  const app = apps.find(({ id }) => id === appId);
  return toNamedApp({ id: appId, app_id: app?.app_id ?? String(appId), title: app?.title ?? null });
}

function toDigestRow(digest: Digest, apps: readonly Application[]): DigestRow {
  return {
    id: String(digest.id),
    channel: String(digest.channel),
    every: digest.every,
    hour: known(digest.hour),
    timeZone: digest.time_zone,
    app: toAppOf(digest.app_id, apps),
    nextAt: digest.next_at,
  };
}

function toChannelRow(channel: Channel): ChannelRow {
  return {
    id: String(channel.id),
    type: channel.type,
    name: channel.name,
    host: channel.host,
    urlEnd: channel.url_end,
    timing: channel.timing,
    offReason: channel.off_reason,
    lastSuccessAt: channel.last_success_at,
    failingSince: channel.failing_since,
  };
}

function toNamedApp({ id, app_id: storeId, title }: NonNullable<Alert['app']>): NonNullable<AlertRow['app']> {
  return { id: String(id), title, storeId };
}

function knownOrNone(value: number | null): Figure {
  return value === null ? notApplicable : known(value);
}
