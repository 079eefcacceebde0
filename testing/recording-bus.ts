import { randomUUID } from 'node:crypto';
import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import type { EventBus, EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';

export type RecordingBus = ReturnType<typeof createRecordingBus>;

/**
 * Records published events once per event id, because a relay may publish an event again. Publishing fails while
 * `fail` is true. Subscriptions receive only what a test delivers.
 */
export function createRecordingBus() {
  const published: EventRecord[] = [];
  const subscriptions: EventSubscription[] = [];
  const bus = {
    isEmbedded: false,
    fail: false,
    published,
    async publish(events: readonly EventRecord[]) {
      if (bus.fail) throw new Error('the bus is unavailable');
      const publishedIds = new Set(published.map(({ id }) => id));
      published.push(...events.filter(({ id }) => !publishedIds.has(id)));
    },
    async subscribe(subscription: EventSubscription) {
      subscriptions.push(subscription);
    },
    /**
     * Delivers an event to every subscription of its topic. Resolves once all have handled it, and rejects if one
     * fails. Returns the event for `redeliver`.
     */
    async deliver<T extends Topic>(
      topic: T,
      key: string,
      message: TopicMessages[T],
      overrides: Partial<Pick<EventRecord, 'id' | 'at' | 'requestId'>> = {},
    ): Promise<EventRecord> {
      const payload = getCodec(topic).encode(message).finish();
      const event = { id: randomUUID(), at: new Date(), ...overrides, topic, key, payload };
      await bus.redeliver(event);
      return event;
    },
    async redeliver(event: EventRecord): Promise<void> {
      const subscribers = subscriptions.filter(({ topics }) => topics.includes(event.topic));
      if (subscribers.length === 0) throw new Error(`no subscription to ${event.topic}`);
      for (const { onEvent } of subscribers) await onEvent(event);
    },
    async stop() {},
  } satisfies EventBus & Record<string, unknown>;
  return bus;
}

/** Decodes the messages of one topic, in publishing order. */
export function messagesOf<T extends Topic>(events: readonly EventRecord[], topic: T): TopicMessages[T][] {
  const codec = getCodec(topic);
  return events.filter((event) => event.topic === topic).map(({ payload }) => codec.decode(payload));
}

function getCodec<T extends Topic>(topic: T): MessageCodec<TopicMessages[T]> {
  return topics[topic] as MessageCodec<TopicMessages[T]>;
}
