import { setTimeout as sleep } from 'node:timers/promises';
import type { EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';
import type { EventLog, PlacedEvent } from './event-log.ts';

const batchSize = 200;
/** Keys whose events are handled at the same time. */
const concurrency = 8;
/** Until a log that could not be read or written is tried again. */
const pauseAfterFailureMs = 1000;

export type RetryPolicy = {
  /** Tries after the first one. */
  retries: number;
  /** Doubles with each try; up to half of it is taken off at random. */
  firstDelayMs: number;
  maxDelayMs: number;
};

export type BusLogger = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type EventReader = {
  group: string;
  topics: readonly string[];
  /** There are new events. */
  wake(): void;
  /** Lets the handlers at work finish and notes how far they came. */
  stop(): Promise<void>;
};

export type EventReaderDeps = {
  log: EventLog;
  subscription: EventSubscription;
  logger: BusLogger;
  retry: RetryPolicy;
};

/** Reads a group's topics batch by batch and hands the events on: those of one key in order, of others side by side. */
export function createEventReader({ log, subscription, logger, retry }: EventReaderDeps): EventReader {
  const { group, topics, onEvent } = subscription;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wake = () => {};
  const ended = run();

  async function run(): Promise<void> {
    let next: Map<string, number> | undefined;
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        next ??= await log.readOffsets(group, topics);
        const batch = await log.read(next, batchSize);
        if (batch.length === 0) await woken;
        else await handleBatch(batch, next);
      } catch (error) {
        logger.error({ err: error, group }, 'events could not be read; trying again');
        await sleep(pauseAfterFailureMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function handleBatch(batch: readonly PlacedEvent[], next: Map<string, number>): Promise<void> {
    const unfinished = new Set(batch.map(({ place }) => place));
    const lanes = [...groupByKey(batch).values()];
    const workers = Array.from({ length: concurrency }, () => handleLanes(lanes, unfinished));
    // All of them, before the batch is read again: two must never handle one key.
    const ends = await Promise.allSettled(workers);
    await commitBatch(batch, unfinished, next);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Takes one key's events after the other until none is left. */
  async function handleLanes(lanes: PlacedEvent[][], unfinished: Set<number>): Promise<void> {
    for (let lane = lanes.shift(); lane; lane = lanes.shift()) {
      for (const { place, event } of lane) {
        if (signal.aborted || !(await handle(event))) return;
        unfinished.delete(place);
      }
    }
  }

  /** False when the reader was stopped before the event was done. */
  async function handle(event: EventRecord): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await onEvent(event);
        return true;
      } catch (error) {
        const fields = { err: error, group, topic: event.topic, eventId: event.id, attempt };
        if (attempt > retry.retries) {
          logger.error(fields, 'an event could not be handled and goes to the dead letters');
          await log.bury(group, event, error, attempt);
          return true;
        }
        logger.warn(fields, 'an event could not be handled; trying again');
        if (!(await pause(delayMs(retry, attempt), signal))) return false;
      }
    }
  }

  /** Notes for each topic the first event that is not done; what was done behind it comes again. */
  async function commitBatch(
    batch: readonly PlacedEvent[],
    unfinished: ReadonlySet<number>,
    next: Map<string, number>,
  ): Promise<void> {
    for (const topic of topics) {
      const places = batch.filter(({ event }) => event.topic === topic).map(({ place }) => place);
      const last = places.at(-1);
      if (last === undefined) continue;
      const place = places.find((one) => unfinished.has(one)) ?? last + 1;
      await log.commit(group, topic, place);
      next.set(topic, place);
    }
  }

  return {
    group,
    topics,
    wake: () => wake(),
    stop: async () => {
      stopping.abort();
      wake();
      await ended;
    },
  };
}

function groupByKey(batch: readonly PlacedEvent[]): Map<string, PlacedEvent[]> {
  const lanes = new Map<string, PlacedEvent[]>();
  for (const placed of batch) {
    const lane = lanes.get(placed.event.key);
    if (lane) lane.push(placed);
    else lanes.set(placed.event.key, [placed]);
  }
  return lanes;
}

function delayMs({ firstDelayMs, maxDelayMs }: RetryPolicy, attempt: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** False when it was interrupted. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
