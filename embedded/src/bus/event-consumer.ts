import type { EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';
import { createEventDelivery, type RetryPolicy } from '@shelfwise/runtime/events/event-delivery';
import { observeDelivery } from '@shelfwise/runtime/events/observe-delivery';
import { sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { EventMetrics } from '@shelfwise/runtime/metrics/event-metrics';
import type { EventLog, LogEntry } from './event-log.ts';

/** Events per read of the log. */
const batchSize = 200;
const logRetryDelayMs = 1000;

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
  logger: Pick<Logger, 'warn' | 'error'>;
  metrics: EventMetrics | undefined;
  now: () => Date;
  retry: RetryPolicy;
};

/** Consumes the topics of a group in batches, in the order of the log. */
export function createEventConsumer(deps: EventConsumerDeps): EventConsumer {
  const { log, subscription, logger, retry } = deps;
  const { group, topics } = subscription;
  const { deliver } = createEventDelivery({
    subscription,
    retry,
    logger,
    addDeadLetter: log.addDeadLetter,
    observer: observeDelivery(deps.metrics, subscription, deps.now),
  });
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
        if (batch.length === 0) {
          await woken;
          continue;
        }
        const own = batch.filter(({ onlyGroup }) => onlyGroup === null || onlyGroup === group);
        const unhandled = await deliver(
          own.map(({ event }) => event),
          signal,
        );
        await commitBatch(batch, unhandled, nextOffsets);
      } catch (error) {
        logger.error({ err: error, group }, 'reading the event log failed; retrying');
        await sleep(logRetryDelayMs, signal);
      }
    }
  }

  /**
   * Commits the first unhandled offset of each topic. If there is one, handled events after it are delivered again. A
   * topic without events in the batch is read on from the end of the batch.
   */
  async function commitBatch(
    batch: readonly LogEntry[],
    unhandled: ReadonlySet<EventRecord>,
    nextOffsets: Map<string, number>,
  ): Promise<void> {
    const end = (batch.at(-1)?.offset ?? 0) + 1;
    for (const topic of topics) {
      const entries = batch.filter(({ event }) => event.topic === topic);
      const nextOffset = entries.find(({ event }) => unhandled.has(event))?.offset ?? end;
      if (entries.length > 0) await log.commitOffset(group, topic, nextOffset);
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
