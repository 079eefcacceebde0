import type { AlertApp } from '../domain/alert.ts';
import { alertText } from '../domain/alert-text.ts';
import type { StoredAlert } from '../stores/alert-store.ts';

/** An alert as `GET /alerts` shows it: a receiver needs one reader for both. */
export function toFeedRow(alert: StoredAlert) {
  return {
    id: alert.id,
    kind: alert.kind,
    at: alert.at.toISOString(),
    rule_id: alert.rule_id,
    app: alert.app && toApp(alert.app),
    keyword_id: alert.keyword?.id ?? null,
    keyword: alert.keyword?.text ?? null,
    before: alert.before,
    after: alert.after,
    evidence: {
      days: { before: alert.day_before, after: alert.day_after },
      threshold: alert.threshold,
      ranks: alert.ranks.map(({ app_id, before, after }) => ({ app_id, before, after })),
      other_app: alert.other_app && toApp(alert.other_app),
      fields: alert.fields.map(({ field, before, after }) => ({ field, before, after })),
      is_confirmed: alert.is_confirmed,
      unread_keywords: alert.unread_keywords,
      store: alert.store,
      channel: alert.channel,
      chart: alert.chart,
    },
    text: alertText(alert),
  };
}

function toApp({ id, app_id, title }: AlertApp) {
  return { id, app_id, title };
}
