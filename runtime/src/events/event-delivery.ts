import { sleep } from '../concurrency/sleep.ts';
import { type RetryDelays, retryDelayMs } from '../jobs/retry-delay.ts';
import type { Logger } from '../log/logger.ts';
import { isDatabaseUnavailable } from '../mongo/database-errors.ts';
import type { EventRecord, EventSubscription } from './event-bus.ts';
import { handleInSpan, handleTogetherInSpan, traceIdOf } from './event-spans.ts';
import type { DeliveryObserver } from './observe-delivery.ts';

/** How many keys are handled at the same time. */
const concurrency = 8;

export type RetryPolicy = RetryDelays & {
  /** Redeliveries after the first attempt. */
  retries: number;
};

export const defaultRetry: RetryPolicy = { retries: 5, firstMs: 200, longestMs: 30_000 };

export type FailedEvent = { event: EventRecord; error: unknown; attempts: number };

/** The error of a failed event as dead letters store it. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export type EventDelivery = {
  /**
   * Delivers the events. Events of one key are handled in order, different keys in parallel. Resolves once all running
   * handlers have finished, and never rejects.
   * @param signal when it fires, no further handler starts
   * @returns the events that were not handled, because the signal fired
   */
  deliver(events: readonly EventRecord[], signal: AbortSignal): Promise<ReadonlySet<EventRecord>>;
};

/**
 * Delivers events to the handlers of a subscription, on every engine. First the batch handlers take what they can, then
 * the other events are handled one by one. An event that fails on every attempt becomes a dead letter and counts as
 * handled. While the database is unavailable, an event is retried without end, because that is not its fault.
 */
export function createEventDelivery(deps: {
  subscription: EventSubscription;
  retry: RetryPolicy;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** Stores a dead letter; retried until it succeeds. */
  addDeadLetter(group: string, failed: FailedEvent): Promise<void>;
  observer: DeliveryObserver;
}): EventDelivery {
  const { subscription, retry, logger, addDeadLetter, observer } = deps;
  const { group, onEvent, batchHandlers = new Map() } = subscription;

  async function deliver(
    events: readonly EventRecord[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<EventRecord>> {
    const unhandled = new Set(events);
    const queues = [...groupByKey(events).values()];
    for (const topic of batchHandlers.keys()) await handleTogether(topic, queues, unhandled, signal);
    const workers = Array.from({ length: concurrency }, () => handleQueues(queues, unhandled, signal));
    // All workers must end before the next delivery, or two of them could handle one key.
    await Promise.all(workers);
    return unhandled;
  }

  /**
   * Takes the events of a topic from the front of all queues, one of each queue at a time, until no queue begins with
   * one. If that fails, the events stay in their queues. While the database is unavailable, they wait together: one by one they
   * would be thousands of commands when it comes back.
   */
  async function handleTogether(
    topic: string,
    queues: readonly EventRecord[][],
    unhandled: Set<EventRecord>,
    signal: AbortSignal,
  ): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const ready = queues.filter(([first]) => first?.topic === topic);
      const events = ready.flatMap(([first]) => first ?? []);
      if (events.length === 0) return;
      try {
        await handleTogetherInSpan({ group, events }, async () => batchHandlers.get(topic)?.(events, signal));
      } catch (error) {
        if (signal.aborted) return;
        const fields = { err: error, group, topic, events: events.length };
        if (!isTemporary(error)) {
          logger.warn(fields, 'handling events together failed; handling them one by one');
          return;
        }
        failures++;
        logger.warn({ ...fields, attempt: failures }, 'handling events together failed; retrying');
        await sleep(retryDelayMs(failures, Math.random, retry), signal);
        continue;
      }
      failures = 0;
      for (const event of events) {
        unhandled.delete(event);
        observer.onApplied(event);
      }
      for (const queue of ready) queue.shift();
    }
  }

  /**
   * Takes one queue after another from the list that all workers share, and handles its events in order. Each queue
   * holds the events of one key. Handled events are removed from `unhandled`.
   */
  async function handleQueues(
    queues: EventRecord[][],
    unhandled: Set<EventRecord>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const event of queue) {
        if (signal.aborted || !(await handle(event, signal))) return;
        unhandled.delete(event);
      }
    }
  }

  /** Calls the handler until it succeeds or the event is a dead letter. Returns false if the signal fired before. */
  async function handle(event: EventRecord, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await handleInSpan({ group, event, attempt }, () => onEvent(event));
        observer.onApplied(event);
        return true;
      } catch (error) {
        const fields = { ...describeEvent(event), err: error, attempt };
        if (attempt > retry.retries && !isTemporary(error))
          return storeDeadLetter({ event, error, attempts: attempt }, signal);
        logger.warn(fields, 'handling an event failed; retrying');
        await sleep(retryDelayMs(attempt, Math.random, retry), signal);
        if (signal.aborted) return false;
      }
    }
  }

  /** Returns false if the signal fired before the dead letter was stored. */
  async function storeDeadLetter(failed: FailedEvent, signal: AbortSignal): Promise<boolean> {
    const { event, error, attempts } = failed;
    const fields = { ...describeEvent(event), attempt: attempts };
    for (let attempt = 1; ; attempt++) {
      try {
        await addDeadLetter(group, failed);
        observer.onDeadLetter(event);
        logger.error(
          { ...fields, err: error },
          'handling an event failed on every attempt; moved to the dead letters',
        );
        return true;
      } catch (cause) {
        logger.error({ ...fields, err: cause }, 'storing a dead letter failed; retrying');
        await sleep(retryDelayMs(attempt, Math.random, retry), signal);
        if (signal.aborted) return false;
      }
    }
  }

  function describeEvent(event: EventRecord) {
    const { topic, id: eventId, requestId } = event;
    return { group, topic, eventId, request_id: requestId, trace_id: traceIdOf(event) };
  }

  return { deliver };
}

/** A handler may report the failure of the database as the cause of an error of its own. */
function isTemporary(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Error && isDatabaseUnavailable(error.cause));
}

function groupByKey(events: readonly EventRecord[]): Map<string, EventRecord[]> {
  const byKey = new Map<string, EventRecord[]>();
  for (const event of events) {
    const queue = byKey.get(event.key);
    if (queue) queue.push(event);
    else byKey.set(event.key, [event]);
  }
  return byKey;
}
