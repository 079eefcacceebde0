import { type ChannelTiming, maxDeliveryAlerts } from '@shelfwise/facts/alerts/alert-channels';
import { groupBy } from '@shelfwise/runtime/group-by';
import { batchMs } from './delivery-schedule.ts';

/** What a plan needs of an alert. */
export type FeedEntry = {
  /** counts the alerts of the account */
  id: number;
  at: Date;
  /** internal app id of the application; null: it is about none */
  listing_id: number | null;
  /** the channels that it is sent to */
  channels: readonly number[];
};

/** When a delivery of a waiting alert is due; `at`: when the alert was found. */
export function dueAt(timing: ChannelTiming, at: Date): Date {
  return timing === 'instant' ? at : new Date(at.getTime() + batchMs);
}

/**
 * Divides the alerts that wait for a channel into deliveries: one for each application, or several where it has more than
 * `maxDeliveryAlerts`. Deliveries are in the order of their first alerts.
 * @param waiting in the order of the feed
 */
export function planDeliveries(
  waiting: readonly Pick<FeedEntry, 'id' | 'listing_id'>[],
): { listing_id: number | null; alert_ids: number[] }[] {
  const byApp = groupBy(waiting, (alert) => String(alert.listing_id));
  return [...byApp.values()]
    .flatMap((alerts) => {
      const deliveries = [];
      for (let start = 0; start < alerts.length; start += maxDeliveryAlerts) {
        const ids = alerts.slice(start, start + maxDeliveryAlerts).map(({ id }) => id);
        deliveries.push({ listing_id: alerts[0]?.listing_id ?? null, alert_ids: ids });
      }
      return deliveries;
    })
    .sort((one, other) => (one.alert_ids[0] ?? 0) - (other.alert_ids[0] ?? 0));
}
