import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import type {
  AlertApp as AlertAppMessage,
  Alert as AlertMessage,
  ListAlertsReply,
  ListAlertsRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { checkAccountId, checkId, checkInteger, checkPage } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { AlertApp, AlertChannel } from '../domain/alert.ts';
import { alertText } from '../domain/alert-text.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { AlertStore, StoredAlert } from '../stores/alert-store.ts';
import { checkFeedKind, toKindMessage } from './kind-message.ts';

type Deps = {
  alerts: Pick<AlertStore, 'list' | 'count'>;
  accounts: Pick<AccountStore, 'findLastDeletedAlert'>;
};

/**
 * After an id the oldest first, otherwise the newest first. Cost: a query for the page, a count, and after an id one for the account.
 * @throws INVALID_PARAMS also when alerts after `since` were deleted: the client must learn that it misses them
 */
export async function listAlerts(
  { alerts, accounts }: Deps,
  request: ListAlertsRequest,
): Promise<ListAlertsReply> {
  const accountId = checkAccountId(request.account_id);
  const page = checkPage(request);
  const filter = {
    since: request.since == null ? null : checkInteger('since', request.since, 0, Number.MAX_SAFE_INTEGER),
    kind: request.kind == null ? null : checkFeedKind(request.kind),
    app_id: request.app_id == null ? null : checkId('app_id', request.app_id),
  };
  const [rows, total] = await Promise.all([
    alerts.list(accountId, filter, page),
    alerts.count(accountId, filter),
  ]);
  // Afterwards: what is deleted meanwhile was recorded before.
  if (filter.since) checkNotDeleted(filter.since, await accounts.findLastDeletedAlert(accountId));
  return { alerts: rows.map(toMessage), total };
}

function checkNotDeleted(since: number, lastDeleted: number): void {
  if (since < lastDeleted)
    throw invalidParams({
      since: `is too old: the alerts up to ${lastDeleted} are deleted. Send ${lastDeleted} for those that are kept`,
    });
}

function toMessage(alert: StoredAlert): AlertMessage {
  return {
    id: alert.id,
    kind: toKindMessage(alert.kind),
    at: alert.at,
    rule_id: alert.rule_id,
    app: alert.app && toApp(alert.app),
    keyword_id: alert.keyword?.id,
    keyword: alert.keyword?.text,
    before: alert.before,
    after: alert.after,
    evidence: {
      day_before: alert.day_before,
      day_after: alert.day_after,
      threshold: alert.threshold,
      ranks: alert.ranks.map(({ app_id, before, after }) => ({ app_id, before, after })),
      other_app: alert.other_app && toApp(alert.other_app),
      fields: alert.fields.map(({ field, before, after }) => ({ field, before, after })),
      is_confirmed: alert.is_confirmed,
      store: alert.store,
      unread_keywords: alert.unread_keywords,
      channel_id: alert.channel?.id,
      channel_name: alert.channel?.name,
      off_reason: alert.channel && toReasonMessage(alert.channel.reason),
      chart: alert.chart && { ...alert.chart, collection: collectionMessages[alert.chart.collection] },
    },
    text: alertText(alert),
  };
}

function toReasonMessage(reason: AlertChannel['reason']): Uppercase<AlertChannel['reason']> {
  return reason.toUpperCase() as Uppercase<AlertChannel['reason']>;
}

function toApp({ id, app_id, title }: AlertApp): AlertAppMessage {
  return { id, app_id, title };
}
