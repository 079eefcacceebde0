import { type Sleep, sleep as wallClockSleep } from '../../concurrency/sleep.ts';
import type { Logger } from '../../log/logger.ts';
import type { AppliedEvents } from '../applied-events.ts';
import type { EventRecord } from '../event-bus.ts';
import type { EventDelivery } from '../event-delivery.ts';
import { fromMessage, isForGroup } from './event-message.ts';
import type { KafkaMessage, TopicPartition } from './kafka-client.ts';

const retryMs = 1000;

export type ApplyMessagesDeps = {
  group: string;
  delivery: EventDelivery;
  /** Whether the event became a dead letter: it was not applied. */
  isDeadLetter(event: EventRecord): boolean;
  /** Stores a message that is no event as a dead letter. */
  addUnreadable(source: TopicPartition, message: KafkaMessage): Promise<void>;
  applied: Pick<AppliedEvents, 'find' | 'add'>;
  /** Topics whose events are not marked: see `EventSubscription`. */
  repeatable?: readonly string[] | undefined;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  sleep?: Sleep;
};

/**
 * Applies the events of consecutive messages of a partition and marks them as applied. An event that was applied before
 * is dropped, unless its topic is repeatable: then nothing is marked or looked up.
 * @param signal when it fires, no further event is applied
 * @returns how many messages from the first one on are done
 * @throws when applied events cannot be marked after the signal
 */
export async function applyMessages(
  deps: ApplyMessagesDeps,
  messages: readonly KafkaMessage[],
  source: TopicPartition,
  signal: AbortSignal,
): Promise<number> {
  const { group, delivery, applied, repeatable = [], now } = deps;
  const isMarked = !repeatable.includes(source.topic);
  const events = new Map<string, EventRecord>();
  const eventOf = new Map<KafkaMessage, EventRecord>();
  for (const message of messages.filter((one) => isForGroup(one, group))) {
    const event = fromMessage(source.topic, message);
    if (!event) {
      const stored = await retry(deps, signal, () => deps.addUnreadable(source, message));
      // The events before it are not applied yet.
      if (!stored) return 0;
    } else if (!events.has(event.id)) {
      events.set(event.id, event);
      eventOf.set(message, event);
    }
  }
  const find = async () => (isMarked ? applied.find(group, [...events.keys()]) : new Set<string>());
  const known = await retry(deps, signal, find);
  if (!known) return 0;
  const fresh = [...events.values()].filter(({ id }) => !known.result.has(id));
  const unhandled = await delivery.deliver(fresh, signal);
  const handled = fresh.filter((event) => !unhandled.has(event) && !deps.isDeadLetter(event));
  const mark = () =>
    applied.add(
      group,
      handled.map(({ id }) => id),
      now(),
    );
  // Also after the signal: what was applied is not applied again by the next owner of the partition.
  if (isMarked && handled.length > 0 && !(await retry(deps, signal, mark))) await mark();
  const firstUnhandled = messages.findIndex((message) => {
    const event = eventOf.get(message);
    return event !== undefined && unhandled.has(event);
  });
  return firstUnhandled === -1 ? messages.length : firstUnhandled;
}

/** Until it succeeds; null if the signal fired before. */
async function retry<Result>(
  { group, logger, sleep = wallClockSleep }: ApplyMessagesDeps,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<{ result: Result } | null> {
  while (!signal.aborted) {
    try {
      return { result: await work() };
    } catch (error) {
      logger.warn({ err: error, group }, 'handling events failed; retrying');
      await sleep(retryMs, signal);
    }
  }
  return null;
}
