import type { TopicMessages } from '@shelfwise/proto/topics';
import { type MessageCodec, type Topic, topics } from '@shelfwise/proto/topics';
import type { EventBus, EventRecord } from '@shelfwise/runtime/events';

/**
 * A bus that keeps what is published, each event id once, as its readers must: a relay may publish an event again.
 * With `fail` set, publishing fails.
 */
export function createRecordingBus() {
  const published: EventRecord[] = [];
  const bus = {
    isEmbedded: false,
    fail: false,
    published,
    async publish(events: readonly EventRecord[]) {
      if (bus.fail) throw new Error('the bus is away');
      const known = new Set(published.map(({ id }) => id));
      published.push(...events.filter(({ id }) => !known.has(id)));
    },
    async subscribe() {},
    async stop() {},
  } satisfies EventBus & Record<string, unknown>;
  return bus;
}

/** The messages of one topic, decoded, in the order of publishing. */
export function messagesOf<T extends Topic>(events: readonly EventRecord[], topic: T): TopicMessages[T][] {
  const codec = topics[topic] as MessageCodec<TopicMessages[T]>;
  return events.filter((event) => event.topic === topic).map(({ payload }) => codec.decode(payload));
}
