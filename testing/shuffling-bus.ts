import type { EventBus, EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';
import fc from 'fast-check';

/** 0 to 1, without 1. */
export type Random = () => number;

const steps = 2 ** 30;

/** A source of random numbers that fast-check repeats with the seed of a failed run. */
export const anyRandom: fc.Arbitrary<Random> = fc
  .infiniteStream(fc.noBias(fc.nat({ max: steps - 1 })))
  .map((stream) => () => (stream.next().value ?? 0) / steps);

/** The events of one key of a topic for one group: those that it has not handled yet, in order, and the others. */
type Partition = { topic: string; waiting: EventRecord[]; handled: EventRecord[]; repeatsLeft: number };

/** A partition whose first event is delivered next. */
type Turn = { partition: Partition; event: EventRecord };

/** The chance that an event is repeated, while its key has repeats left. */
const repeatRate = 0.4;
const repeatsPerKey = 3;
/** Partitions that are handled at the same time, each by any copy. */
const concurrency = 3;
const attempts = 3;

export type ShufflingBus = ReturnType<typeof createShufflingBus>;

/**
 * A bus that promises no more than the port (`EventBus`): events of one key are delivered in order *within a topic*.
 * Across topics and keys the order is random, and different copies of a consumer (subscriptions of one group) handle
 * events at the same time. Events are repeated: at once, together with the events of the key since then (as when another copy
 * takes over), and after everything else (as when dead letters are replayed). The topics of `heldBack` are delivered
 * when nothing else is left. Events wait until `deliverAll`.
 */
export function createShufflingBus({
  random,
  heldBack = [],
}: {
  random: Random;
  heldBack?: readonly string[];
}) {
  const groups = new Map<string, EventSubscription[]>();
  const log: EventRecord[] = [];
  /** The events that a group has not taken into its partitions yet. */
  const nextOf = new Map<string, number>();
  const partitions = new Map<string, Partition>();
  const latecomers: Partition[] = [];

  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];

  function takeNew(group: string): void {
    const copies = groups.get(group) ?? [];
    for (const event of log.slice(nextOf.get(group) ?? 0)) {
      if (!copies.some(({ topics }) => topics.includes(event.topic))) continue;
      const id = `${group} ${event.topic} ${event.key}`;
      const partition = partitions.get(id) ?? {
        topic: event.topic,
        waiting: [],
        handled: [],
        repeatsLeft: repeatsPerKey,
      };
      partition.waiting.push(event);
      partitions.set(id, partition);
    }
    nextOf.set(group, log.length);
  }

  /** Partitions with an event, those of held back topics only when there is no other. */
  function readyPartitions(group: string): Partition[] {
    const ready = [...partitions]
      .filter(([id, { waiting }]) => id.startsWith(`${group} `) && waiting.length > 0)
      .map(([, partition]) => partition);
    const timely = ready.filter(({ topic }) => !heldBack.includes(topic));
    if (timely.length > 0) return timely;
    return ready.length > 0 ? ready : latecomers.filter(({ waiting }) => waiting.length > 0);
  }

  function chooseTurns(ready: readonly Partition[]): Turn[] {
    const chosen = new Set(Array.from({ length: concurrency }, () => pick(ready)));
    return [...chosen].flatMap((partition) => {
      const event = partition?.waiting[0];
      return partition && event ? [{ partition, event }] : [];
    });
  }

  const never = new AbortController().signal;
  async function handle(copy: EventSubscription, event: EventRecord): Promise<void> {
    const handleMany = copy.batchHandlers?.get(event.topic);
    const consume = () => (handleMany && random() < 0.5 ? handleMany([event], never) : copy.onEvent(event));
    for (let attempt = 1; ; attempt++) {
      try {
        return await consume();
      } catch (error) {
        if (attempt === attempts) throw error;
      }
    }
  }

  /** Adds what is delivered again after an event was handled. */
  function repeat(partition: Partition, event: EventRecord): void {
    if (partition.repeatsLeft === 0 || random() >= repeatRate) return;
    partition.repeatsLeft -= 1;
    if (random() < 0.5) {
      const from = Math.floor(random() * partition.handled.length);
      partition.waiting.unshift(...partition.handled.slice(from));
    } else latecomers.push({ topic: event.topic, waiting: [event], handled: [], repeatsLeft: 0 });
  }

  async function deliver(group: string, between: () => Promise<void>): Promise<void> {
    const copies = groups.get(group) ?? [];
    for (let ready = readyPartitions(group); ready.length > 0; ready = readyPartitions(group)) {
      const turns = chooseTurns(ready);
      await Promise.all(
        turns.map(async ({ partition, event }) => {
          partition.waiting.shift();
          const copy = pick(copies);
          if (copy) await handle(copy, event);
          partition.handled.push(event);
          repeat(partition, event);
        }),
      );
      await between();
      takeNew(group);
    }
  }

  return {
    isEmbedded: false,
    async publish(events: readonly EventRecord[]) {
      log.push(...events);
    },
    async subscribe(subscription: EventSubscription) {
      const copies = groups.get(subscription.group) ?? [];
      groups.set(subscription.group, [...copies, subscription]);
    },
    /**
     * Delivers everything that is published, to every group, until nothing is left. `between` is called after each
     * step. Rejects when a handler fails three times.
     */
    async deliverAll(between: () => Promise<void> = async () => {}): Promise<void> {
      for (const group of groups.keys()) {
        takeNew(group);
        await deliver(group, between);
      }
    },
    async stop() {},
  } satisfies EventBus & Record<string, unknown>;
}
