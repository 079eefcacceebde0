import type { StoredAlert } from '../stores/alert-store.ts';
import { toFeedRow } from './feed-row.ts';

/** The JSON body of a webhook. A test has no events. */
export function webhookBody(message: {
  account_id: string;
  is_test: boolean;
  alerts: readonly StoredAlert[];
}): string {
  return JSON.stringify({
    type: message.is_test ? 'test' : 'alerts',
    account_id: message.account_id,
    events: message.alerts.map(toFeedRow),
  });
}
