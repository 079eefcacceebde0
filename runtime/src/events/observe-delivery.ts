import type { EventMetrics } from '../metrics/event-metrics.ts';
import type { EventRecord, EventSubscription } from './event-bus.ts';

export type DeliveryObserver = {
  onApplied(event: EventRecord): void;
  onDeadLetter(event: Pick<EventRecord, 'topic'>): void;
};

/**
 * Measures how long each event took from its change, and counts the dead letters of a group.
 * @param metrics absent in tests of the delivery
 */
export function observeDelivery(
  metrics: Pick<EventMetrics, 'eventDeliverySeconds' | 'deadLettered' | 'startGroup'> | undefined,
  { group, topics }: Pick<EventSubscription, 'group' | 'topics'>,
  now: () => Date,
): DeliveryObserver {
  metrics?.startGroup(group, topics);
  return {
    onApplied({ topic, at }) {
      // Clocks of two machines differ.
      const ms = Math.max(0, now().getTime() - at.getTime());
      metrics?.eventDeliverySeconds.observe({ group, topic }, ms / 1000);
    },
    onDeadLetter: ({ topic }) => metrics?.deadLettered.inc({ group, topic }),
  };
}
