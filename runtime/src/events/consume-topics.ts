import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import type { EventBus, EventRecord } from './event-bus.ts';

/** The handler of each topic. The event carries the id of the message and the request that caused it. */
export type TopicHandlers = {
  [T in Topic]?: (
    message: TopicMessages[T],
    event: Pick<EventRecord, 'id' | 'at' | 'requestId'>,
  ) => Promise<void>;
};

type AnyHandler = (message: unknown, event: EventRecord) => Promise<void>;

/**
 * Consumes topics as one group and passes each decoded message to the handler of its topic. If decoding or the
 * handler fails, the message is redelivered and finally goes to the dead letters.
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
