import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { GroupState } from '../events/event-bus.ts';
import { createSources } from './sources.ts';

export type EventMetrics = ReturnType<typeof createEventMetrics>;

/** The metrics of events: how they are published, and how groups apply them. */
export function createEventMetrics(registry: Registry) {
  const registers = [registry];
  /** By bus. All buses of a system see the same groups. */
  const groups = createSources<readonly GroupState[]>();
  new Gauge({
    name: 'shelfwise_event_consumer_lag_events',
    help: 'Events that a group has not applied yet; the embedded bus counts up to 10,000 of each topic',
    labelNames: ['group', 'topic'],
    registers,
    collect() {
      return groups.show(this, (_, states) =>
        states.flatMap(({ group, lags }) =>
          lags.map(({ topic, lag }) => ({ labels: { group, topic }, value: lag })),
        ),
      );
    },
  });
  new Gauge({
    name: 'shelfwise_event_consumers',
    help: 'Processes that consume events as members of a group, as the brokers see it',
    labelNames: ['group'],
    registers,
    collect() {
      return groups.show(this, (_, states) =>
        states.flatMap(({ group, members }) =>
          members === null ? [] : [{ labels: { group }, value: members }],
        ),
      );
    },
  });
  new Gauge({
    name: 'shelfwise_dead_letters_waiting',
    help: 'Events that a group could not apply, and that wait to be replayed',
    labelNames: ['group'],
    registers,
    collect() {
      return groups.show(this, (_, states) =>
        states.flatMap(({ group, deadLetters }) =>
          deadLetters === null ? [] : [{ labels: { group }, value: deadLetters }],
        ),
      );
    },
  });
  const deadLettered = new Counter({
    name: 'shelfwise_events_dead_lettered_total',
    help: 'Events that a group could not apply on any attempt, moved to the dead letters',
    labelNames: ['group', 'topic'],
    registers,
  });
  return {
    eventsPublished: new Counter({
      name: 'shelfwise_events_published_total',
      help: 'Events published to the bus',
      labelNames: ['topic'],
      registers,
    }),
    eventsRefused: new Counter({
      name: 'shelfwise_events_refused_total',
      help: 'Events that the bus refused for good, such as for their size; each attempt counts',
      labelNames: ['topic'],
      registers,
    }),
    eventDeliverySeconds: new Histogram({
      name: 'shelfwise_event_delivery_seconds',
      help: 'Time from the change that an event tells of until a group applied it, in seconds',
      labelNames: ['group', 'topic'],
      buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800],
      registers,
    }),
    deadLettered,
    /** What the groups of a bus have left to do. */
    eventGroups: groups,
    /** Counts from zero, so that the first dead letter is an increase. */
    startGroup(group: string, topics: readonly string[]): void {
      for (const topic of topics) deadLettered.inc({ group, topic }, 0);
    },
  };
}
