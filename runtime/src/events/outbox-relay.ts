import type { Model } from 'mongoose';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { hideDriverError } from '../mongo/database-errors.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import type { EventBus, EventRecord } from './event-bus.ts';
import type { StoredEvent } from './outbox.ts';

type OutboxDocument = { _id: unknown; outbox?: Record<string, StoredEvent>; outbox_last?: string };

export type OutboxRelay = {
  start(): void;
  /** Something was written: publish it now rather than at the next look. */
  wake(): void;
  /** Publishes what is there, then stops. */
  stop(): Promise<void>;
  status: StatusCheck;
};

const lookEveryMs = 1000;
/** FerretDB on SQLite stops answering when one command holds about 100 updates. */
const documentsPerPass = 50;
/** A backlog of this many documents is worth telling somebody. */
const degradedBacklog = 1000;

/**
 * Moves events from outboxes to the bus, oldest document first; without a bus it leaves them where they are.
 * Cost: one indexed query per model and look, plus one publish and one bulk write per 50 documents.
 */
export function createOutboxRelay(deps: {
  models: readonly Model<unknown>[];
  bus: EventBus | null;
  logger: Logger;
  metrics: Metrics;
}): OutboxRelay {
  const { models, bus, logger, metrics } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let wokenAgain = false;

  async function publishAll(): Promise<void> {
    if (!bus) return;
    for (const model of models) {
      while (await publishSome(model, bus, metrics));
    }
  }

  function look(): void {
    if (running) {
      wokenAgain = true;
      return;
    }
    running = publishAll()
      .catch((error: unknown) => logger.warn({ err: error }, 'events wait in the outbox: publishing failed'))
      .finally(() => {
        running = null;
        if (!wokenAgain) return;
        wokenAgain = false;
        look();
      });
  }

  return {
    start() {
      timer = setInterval(look, lookEveryMs);
      timer.unref();
      look();
    },
    wake: look,
    async stop() {
      clearInterval(timer);
      while (running) await running;
      await publishAll();
    },
    async status() {
      const waiting = await hideDriverError(
        Promise.all(models.map((model) => model.countDocuments(pending))),
      );
      const backlog = waiting.reduce((sum, count) => sum + count, 0);
      const isWorrying = backlog >= degradedBacklog;
      const place = bus ? '' : '; no event bus is set (KAFKA_BROKERS), so they are kept here';
      return {
        name: 'events',
        state: isWorrying || !bus ? PartState.DEGRADED : PartState.OK,
        detail: `${backlog} documents with events to publish${place}`,
        is_embedded: bus?.isEmbedded ?? false,
      };
    },
  };
}

/** A range, not `$exists`: only a range uses a sparse index on every engine. */
const pending = { outbox_since: { $gt: new Date(0) } };

/** Publishes one batch; true when it was a full one and got on, so that there may be more. */
async function publishSome(model: Model<unknown>, bus: EventBus, metrics: Metrics): Promise<boolean> {
  const documents = (await model
    .find(pending)
    .sort({ outbox_since: 1 })
    .limit(documentsPerPass)
    .select({ outbox: 1, outbox_last: 1 })
    // One more than can come, so that no cursor is left open.
    .batchSize(documentsPerPass + 1)
    .lean()) as OutboxDocument[];
  const events = documents.flatMap((document) => toRecords(document.outbox ?? {}));
  if (events.length > 0) {
    await bus.publish(events);
    for (const event of events) metrics.eventsPublished.inc({ topic: event.topic });
  }
  if (documents.length === 0) return false;
  const cleared = await clear(model, documents);
  return documents.length === documentsPerPass && cleared > 0;
}

function toRecords(outbox: Record<string, StoredEvent>): EventRecord[] {
  return Object.entries(outbox).map(([id, { topic, key, payload, at, request_id: requestId }]) => ({
    id,
    topic,
    key,
    payload: toBytes(payload),
    at,
    ...(requestId !== null && { requestId: requestId }),
  }));
}

/** BSON gives binary fields back in a wrapper of its own. */
function toBytes(payload: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return payload instanceof Uint8Array ? payload : payload.buffer;
}

/**
 * Empties the outboxes that were published. A document that got another event meanwhile is left as it is: its next
 * publishing repeats some events, which keep their ids.
 */
async function clear(model: Model<unknown>, documents: readonly OutboxDocument[]): Promise<number> {
  const { modifiedCount } = await model.bulkWrite(
    documents.map(({ _id, outbox_last: outboxLast }) => ({
      updateOne: {
        filter: { _id, outbox_last: outboxLast },
        update: { $unset: { outbox: '', outbox_since: '', outbox_last: '' } },
        timestamps: false,
      },
    })),
    { ordered: false },
  );
  return modifiedCount;
}
