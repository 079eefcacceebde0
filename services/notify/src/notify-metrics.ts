import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { Counter } from 'prom-client';

export type NotifyMetrics = ReturnType<typeof createNotifyMetrics>;

/** The metrics of alerts, in addition to those of every process. */
export function createNotifyMetrics({ registry }: Pick<Metrics, 'registry'>) {
  return {
    alertsPublished: new Counter({
      name: 'shelfwise_alerts_published_total',
      help: 'Alerts that were added to the feeds of accounts',
      labelNames: ['kind'] as const,
      registers: [registry],
    }),
    deliveryTries: new Counter({
      name: 'shelfwise_delivery_tries_total',
      help: 'Scheduled tries to deliver alerts to channels',
      labelNames: ['outcome'] as const,
      registers: [registry],
    }),
  };
}
