import { type Figure, known } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { AlertRow, ChannelRow, RuleKind, RuleRow } from '@shelfwise/dashboard/pages/alerts/model';
import { channelTimings, channelTypes } from '@shelfwise/facts/alerts/alert-channels';
import {
  type AlertKind,
  alertKinds,
  keywordKinds,
  thresholds,
  wholeAccountKinds,
} from '@shelfwise/facts/alerts/alert-kinds';
import type { z } from 'zod';
import { listAlertChannels } from '../../routes/list-alert-channels.ts';
import { listAlertRules } from '../../routes/list-alert-rules.ts';
import { listAlerts } from '../../routes/list-alerts.ts';
import { listApplications } from '../../routes/list-applications.ts';
import { maxPageRows } from '../../routes/route/paged-list.ts';
import { dataOf, dataOr, type PageContext, toFrame } from './page-context.ts';

type Alert = z.output<typeof listAlerts.data>[number];
type Rule = z.output<typeof listAlertRules.data>[number];
type Channel = z.output<typeof listAlertChannels.data>[number];
type Application = z.output<typeof listApplications.data>[number];

/** How deep the pages of keywords are read. */
const depth = 100;
const notApplicable: Figure = { state: 'not_applicable' };

/** Four calls: the apps, a page of alerts, newest first, all rules and all channels. */
export async function buildAlerts(context: PageContext, query: Record<string, unknown>): Promise<PageData> {
  const page = typeof query.page === 'string' && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
  const [applications, alerts, rules, channels] = await Promise.all([
    context.call(listApplications),
    context.call(listAlerts, { query: { page: String(page) } }),
    context.call(listAlertRules, { query: { per_page: String(maxPageRows) } }),
    context.call(listAlertChannels),
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
    keyword: alert.keyword_id === null ? null : { id: String(alert.keyword_id), text: alert.keyword ?? '' },
    other: other && toNamedApp(other),
    before: toFigure(alert, alert.before),
    after: toFigure(alert, alert.after),
    channel: evidence.channel?.name ?? null,
    fields: evidence.fields.map(({ field }) => field),
    isReadOnce: evidence.is_confirmed === false,
  };
}

/** A missing rank means that the app was not on the page; a changed listing has no number. */
function toFigure({ keyword_id: keywordId }: Alert, value: number | null): Figure {
  if (value !== null) return known(value);
  return keywordId === null ? notApplicable : { state: 'not_ranked', depth, day: null };
}

function toRuleRow(rule: Rule, apps: readonly Application[]): RuleRow {
  const { keywords } = rule;
  const which = typeof keywords === 'string' ? keywords : 'some';
  const app = apps.find(({ id }) => id === rule.app_id);
  return {
    id: String(rule.id),
    kind: rule.kind,
    app:
      rule.app_id === null
        ? null
        : toNamedApp({
            id: rule.app_id,
            app_id: app?.app_id ?? String(rule.app_id),
            title: app?.title ?? null,
          }),
    threshold: knownOrNone(rule.threshold),
    keywords: typeof keywords === 'string' ? notApplicable : known(keywords.length),
    keywordIds: typeof keywords === 'string' ? [] : keywords.map(String),
    which: hasKeywords(rule.kind) ? which : null,
    channels: rule.channels.map(String),
    isEnabled: rule.is_enabled,
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
