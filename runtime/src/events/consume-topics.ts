import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import type { EventBus, EventRecord, EventSubscription } from './event-bus.ts';

/** The id of a message and the request that caused it. */
export type MessageEvent = Pick<EventRecord, 'id' | 'at' | 'requestId'>;

export type TopicHandlers = {
  [T in Topic]?: (message: TopicMessages[T], event: MessageEvent) => Promise<void>;
};

/** Handlers that take the messages of a topic that wait at the same time, each of another key, in one call. */
export type TopicBatchHandlers = {
  [T in Topic]?: (messages: readonly TopicMessages[T][], events: readonly MessageEvent[]) => Promise<void>;
};

type AnyHandler = (message: unknown, event: EventRecord) => Promise<void>;
type AnyBatchHandler = (messages: readonly unknown[], events: readonly EventRecord[]) => Promise<void>;

/**
 * Consumes topics as one group and passes each decoded message to the handler of its topic. If decoding or the
 * handler fails, the message is redelivered and finally goes to the dead letters. A message of a failed batch is
 * redelivered alone.
 * @param options see `EventSubscription`
 */
export function consumeTopics(
  bus: EventBus,
  group: string,
  handlers: TopicHandlers,
  batchHandlers: TopicBatchHandlers = {},
  options: Pick<EventSubscription, 'gathers'> & { repeatable?: readonly Topic[] } = {},
): Promise<void> {
  const batchTopics = Object.keys(batchHandlers) as Topic[];
  const handleMany = (topic: Topic, events: readonly EventRecord[]) =>
    (batchHandlers[topic] as AnyBatchHandler)(events.map(decode), events);
  return bus.subscribe({
    ...options,
    group,
    topics: [...Object.keys(handlers), ...batchTopics],
    onEvent: async (event) => {
      const handler = handlers[event.topic as Topic] as AnyHandler | undefined;
      if (handler) await handler(decode(event), event);
      else await handleMany(event.topic as Topic, [event]);
    },
    batchHandlers: new Map(
      batchTopics.map((topic) => [topic, async (events) => handleMany(topic, events)] as const),
    ),
  });
}

function decode({ topic, payload }: EventRecord): unknown {
  return (topics[topic as Topic] as MessageCodec<unknown>).decode(payload);
}
