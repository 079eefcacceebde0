import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import type { EventBus, EventRecord } from './event-bus.ts';

/** What is done with the messages of each topic; the event tells their id and the request that caused them. */
export type TopicHandlers = {
  [T in Topic]?: (
    message: TopicMessages[T],
    event: Pick<EventRecord, 'id' | 'at' | 'requestId'>,
  ) => Promise<void>;
};

type AnyHandler = (message: unknown, event: EventRecord) => Promise<void>;

/**
 * Reads topics as one group: each message goes to the handler of its topic, decoded. A message that cannot be decoded,
 * or whose handler rejects, is delivered again and ends among the dead letters.
 */
export function consumeTopics(bus: EventBus, group: string, handlers: TopicHandlers): Promise<void> {
  return bus.subscribe({
    group,
    topics: Object.keys(handlers),
    onEvent: async (event) => {
      const handler = handlers[event.topic as Topic] as AnyHandler;
      const codec = topics[event.topic as Topic] as MessageCodec<unknown>;
      await handler(codec.decode(event.payload), event);
    },
  });
}
