import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBus, EventRecord, EventSubscription } from '@shelfwise/runtime/events/event-bus';
import type { Connection } from 'mongoose';
import { createEventLog } from './bus/event-log.ts';
import { type BusLogger, createEventReader, type EventReader, type RetryPolicy } from './bus/event-reader.ts';

const retentionMs = 7 * 24 * 3_600_000;
const sweepEveryMs = 3_600_000;

export type EmbeddedBusOptions = {
  /** To the embedded database; the bus keeps its collections (`bus_*`) in the connection's database. */
  connection: Connection;
  logger?: BusLogger;
  now?: () => Date;
  retry?: Partial<RetryPolicy>;
};

const silent: BusLogger = { warn: () => {}, error: () => {} };
const defaultRetry: RetryPolicy = { retries: 5, firstDelayMs: 200, maxDelayMs: 30_000 };

/**
 * The event bus of a single process, kept in the embedded database: an event is on disk before its publishing
 * resolves, is kept for 7 days, and reaches every group at least once, in order for its key.
 */
export async function createEmbeddedBus({
  connection,
  logger = silent,
  now = () => new Date(),
  retry,
}: EmbeddedBusOptions): Promise<EventBus> {
  const log = await createEventLog({ connection, now });
  const readers: EventReader[] = [];
  const stopping = new AbortController();
  const sweeping = sweep();

  async function sweep(): Promise<void> {
    do {
      try {
        await log.removeOlderThan(new Date(now().getTime() - retentionMs));
      } catch (error) {
        logger.error({ err: error }, 'the events of more than 7 days ago could not be removed');
      }
    } while (await pause(sweepEveryMs, stopping.signal));
  }

  return {
    isEmbedded: true,

    publish: async (events: readonly EventRecord[]) => {
      if (events.length === 0) return;
      await log.append(events);
      for (const reader of readers) reader.wake();
    },
    subscribe: async (subscription: EventSubscription) => {
      refuseOverlap(readers, subscription);
      const policy = { ...defaultRetry, ...retry };
      readers.push(createEventReader({ log, subscription, logger, retry: policy }));
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([sweeping, ...readers.map((reader) => reader.stop())]);
    },
  };
}

/** Two readers of one group on one topic would each get all of its events. */
function refuseOverlap(readers: readonly EventReader[], { group, topics }: EventSubscription): void {
  const taken = readers.filter((reader) => reader.group === group).flatMap((reader) => reader.topics);
  const topic = topics.find((one) => taken.includes(one));
  if (topic !== undefined) throw new Error(`the group ${group} reads ${topic} already`);
}

/** False when it was interrupted. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
