import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';
import { createEventDelivery, type RetryPolicy } from '@shelfwise/runtime/events/event-delivery';
import { observeDelivery } from '@shelfwise/runtime/events/observe-delivery';
import { createWakeSignal } from '@shelfwise/runtime/jobs/wake-signal';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { EventMetrics } from '@shelfwise/runtime/metrics/event-metrics';
import type { EventLog, LogEntry } from './event-log.ts';

/** Events per read of the log. */
const batchSize = 200;
const logRetryDelayMs = 1000;
/** After a crash, what was handled in this time is delivered again. */
const commitDelayMs = 1000;

export type EventConsumer = {
  group: string;
  topics: readonly string[];
  /** Reads the log again, because new events were published. */
  wake(): void;
  /** Stores now what was handled, as otherwise happens within a second. Never rejects: a failure is logged. */
  commit(): Promise<void>;
  /** Waits for the running handlers and commits the offsets. */
  stop(): Promise<void>;
};

export type EventConsumerDeps = {
  log: EventLog;
  subscription: EventSubscription;
  /** Commits what all consumers of the bus have handled. Never rejects. */
  commitAll(): Promise<unknown>;
  logger: Pick<Logger, 'warn' | 'error'>;
  metrics: EventMetrics | undefined;
  now: () => Date;
  sleep: Sleep;
  retry: RetryPolicy;
};

/** Consumes the topics of a group in batches, in the order of the log. */
export function createEventConsumer(deps: EventConsumerDeps): EventConsumer {
  const { log, subscription, logger, sleep, retry } = deps;
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
  /** By topic: the offsets that are not on disk yet. */
  const uncommitted = new Map<string, number>();
  let isCommitting = false;
  let commitsEnd = Promise.resolve();
  const wakeSignal = createWakeSignal();
  const loopEnd = run();

  async function run(): Promise<void> {
    let nextOffsets: Map<string, number> | undefined;
    while (!signal.aborted) {
      try {
        nextOffsets ??= await log.readOffsets(group, topics);
        const end = log.endOffset();
        const batch = await log.read(nextOffsets, batchSize);
        if (batch.length === 0) {
          // No event of these topics is before the end, so none is looked for there again. A group may have handled nothing for long.
          for (const topic of topics) nextOffsets.set(topic, end);
          await wakeSignal.raised();
          continue;
        }
        const own = batch.filter(({ onlyGroup }) => onlyGroup === null || onlyGroup === group);
        const unhandled = await deliver(
          own.map(({ event }) => event),
          signal,
        );
        advance(batch, unhandled, nextOffsets);
        if (!isCommitting) commitsEnd = commitRegularly();
      } catch (error) {
        logger.error({ err: error, group }, 'reading the event log failed; retrying');
        await sleep(logRetryDelayMs, signal);
      }
    }
  }

  /**
   * Moves each topic to its first unhandled event. If there is one, handled events after it are delivered again. A topic
   * without events in the batch is read on from the end of the batch.
   */
  function advance(
    batch: readonly LogEntry[],
    unhandled: ReadonlySet<EventRecord>,
    nextOffsets: Map<string, number>,
  ): void {
    const end = (batch.at(-1)?.offset ?? 0) + 1;
    for (const topic of topics) {
      const entries = batch.filter(({ event }) => event.topic === topic);
      const nextOffset = entries.find(({ event }) => unhandled.has(event))?.offset ?? end;
      if (entries.length > 0) uncommitted.set(topic, nextOffset);
      nextOffsets.set(topic, nextOffset);
    }
  }

  /** One write for all batches of a second, those of other groups included, until nothing is left. */
  async function commitRegularly(): Promise<void> {
    isCommitting = true;
    while (uncommitted.size > 0 && !signal.aborted) {
      await sleep(commitDelayMs, signal);
      await deps.commitAll();
    }
    isCommitting = false;
  }

  async function commit(): Promise<void> {
    const nextOffsets = new Map(uncommitted);
    if (nextOffsets.size === 0) return;
    try {
      await log.commitOffsets(group, nextOffsets);
    } catch (error) {
      logger.error({ err: error, group }, 'committing the offsets of a group failed; retrying');
      return;
    }
    for (const [topic, nextOffset] of nextOffsets)
      if (uncommitted.get(topic) === nextOffset) uncommitted.delete(topic);
  }

  return {
    group,
    topics,
    wake: wakeSignal.raise,
    commit,
    stop: async () => {
      stopping.abort();
      wakeSignal.raise();
      await loopEnd;
      await commitsEnd;
      await commit();
    },
  };
}
