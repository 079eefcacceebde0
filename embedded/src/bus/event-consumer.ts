import { setTimeout as sleep } from 'node:timers/promises';
import type { EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';
import type { EventLog, LogEntry } from './event-log.ts';

/** Events per read of the log. */
const batchSize = 200;
/** How many keys are handled at the same time. */
const concurrency = 8;
const logRetryDelayMs = 1000;

export type RetryPolicy = {
  /** Redeliveries after the first attempt. */
  retries: number;
  /** The delay doubles with each redelivery. Jitter shortens it by up to half. */
  firstDelayMs: number;
  maxDelayMs: number;
};

export type BusLogger = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type EventConsumer = {
  group: string;
  topics: readonly string[];
  /** Reads the log again, because new events were published. */
  wake(): void;
  /** Waits for the running handlers and commits the offsets. */
  stop(): Promise<void>;
};

export type EventConsumerDeps = {
  log: EventLog;
  subscription: EventSubscription;
  logger: BusLogger;
  retry: RetryPolicy;
};

/**
 * Consumes the topics of a group in batches. Events of one key are handled in order, different keys in parallel. First
 * the batch handlers take what they can, then the other events are handled one by one.
 */
export function createEventConsumer({ log, subscription, logger, retry }: EventConsumerDeps): EventConsumer {
  const { group, topics, onEvent, batchHandlers } = subscription;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = () => {};
  const loopEnd = run();

  async function run(): Promise<void> {
    let nextOffsets: Map<string, number> | undefined;
    while (!signal.aborted) {
      // Prepared before the read, so that a wake during the read is not lost.
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        nextOffsets ??= await log.readOffsets(group, topics);
        const batch = await log.read(nextOffsets, batchSize);
        if (batch.length === 0) await woken;
        else await handleBatch(batch, nextOffsets);
      } catch (error) {
        logger.error({ err: error, group }, 'reading the event log failed; retrying');
        await sleep(logRetryDelayMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function handleBatch(batch: readonly LogEntry[], nextOffsets: Map<string, number>): Promise<void> {
    const unhandled = new Set(batch.map(({ offset }) => offset));
    const queues = [...groupByKey(batch).values()];
    for (const [topic, onEvents] of batchHandlers ?? [])
      await handleTogether(topic, onEvents, queues, unhandled);
    const workers = Array.from({ length: concurrency }, () => handleQueues(queues, unhandled));
    // All workers must end before the next read, or two of them could handle one key. A worker rejects only if it
    // cannot store a dead letter.
    const results = await Promise.allSettled(workers);
    await commitBatch(batch, unhandled, nextOffsets);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /**
   * Takes the events of a topic from the front of all queues, one of each queue at a time, until no queue begins with
   * one. If that fails, the events stay in their queues.
   */
  async function handleTogether(
    topic: string,
    onEvents: (events: readonly EventRecord[]) => Promise<void>,
    queues: readonly LogEntry[][],
    unhandled: Set<number>,
  ): Promise<void> {
    while (!signal.aborted) {
      const ready = queues.filter(([first]) => first?.event.topic === topic);
      const entries = ready.flatMap(([first]) => first ?? []);
      if (entries.length === 0) return;
      try {
        await onEvents(entries.map(({ event }) => event));
      } catch (error) {
        const fields = { err: error, group, topic, events: entries.length };
        logger.warn(fields, 'handling events together failed; handling them one by one');
        return;
      }
      for (const { offset } of entries) unhandled.delete(offset);
      for (const queue of ready) queue.shift();
    }
  }

  /**
   * Takes one queue after another from the list that all workers share, and handles its events in order. Each queue
   * holds the events of one key. Handled offsets are removed from `unhandled`.
   */
  async function handleQueues(queues: LogEntry[][], unhandled: Set<number>): Promise<void> {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const { offset, event } of queue) {
        if (signal.aborted || !(await handle(event))) return;
        unhandled.delete(offset);
      }
    }
  }

  /**
   * Calls the handler until it succeeds or has no retry left; the event then becomes a dead letter and counts as
   * handled. Returns false if the consumer was stopped before that.
   */
  async function handle(event: EventRecord): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await onEvent(event);
        return true;
      } catch (error) {
        const fields = { err: error, group, topic: event.topic, eventId: event.id, attempt };
        if (attempt > retry.retries) {
          logger.error(fields, 'handling an event failed on every attempt; moved to the dead letters');
          await log.addDeadLetter(group, event, error, attempt);
          return true;
        }
        logger.warn(fields, 'handling an event failed; retrying');
        await sleep(computeDelayMs(retry, attempt), undefined, { signal }).catch(() => {});
        if (signal.aborted) return false;
      }
    }
  }

  /**
   * Commits the first unhandled offset of each topic. If there is one, handled events after it are delivered again. A
   * topic without events in the batch is read on from the end of the batch.
   */
  async function commitBatch(
    batch: readonly LogEntry[],
    unhandled: ReadonlySet<number>,
    nextOffsets: Map<string, number>,
  ): Promise<void> {
    const end = (batch.at(-1)?.offset ?? 0) + 1;
    for (const topic of topics) {
      const offsets = batch.filter(({ event }) => event.topic === topic).map(({ offset }) => offset);
      const nextOffset = offsets.find((offset) => unhandled.has(offset)) ?? end;
      if (offsets.length > 0) await log.commitOffset(group, topic, nextOffset);
      nextOffsets.set(topic, nextOffset);
    }
  }

  return {
    group,
    topics,
    wake: () => wake(),
    stop: async () => {
      stopping.abort();
      wake();
      await loopEnd;
    },
  };
}

function groupByKey(batch: readonly LogEntry[]): Map<string, LogEntry[]> {
  const byKey = new Map<string, LogEntry[]>();
  for (const entry of batch) {
    const entries = byKey.get(entry.event.key);
    if (entries) entries.push(entry);
    else byKey.set(entry.event.key, [entry]);
  }
  return byKey;
}

function computeDelayMs({ firstDelayMs, maxDelayMs }: RetryPolicy, attempt: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
