import type { Model } from 'mongoose';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { bulkWriteInChunks } from '../mongo/bulk-write-in-chunks.ts';
import { hideDriverError } from '../mongo/database-errors.ts';
import { nounFor } from '../noun-for.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import type { EventBus, EventRecord } from './event-bus.ts';
import type { StoredEvent } from './outbox.ts';

type OutboxDocument = { _id: unknown; outbox?: Record<string, StoredEvent>; outbox_last?: string };

export type OutboxRelay = {
  start(): void;
  /** Publishes new events now instead of at the next poll. */
  wake(): void;
  /** Publishes all pending events, then stops. Rejects if that fails; the events then stay in their outboxes. */
  stop(): Promise<void>;
  status: StatusCheck;
};

const pollMs = 1000;
/** One bulk write empties the outboxes of a batch. */
const documentsPerBatch = 50;
/** A backlog of this many documents is shown as degraded. */
const degradedBacklog = 1000;

/**
 * Publishes events from outboxes to the bus. The document that has waited longest since its newest event comes first.
 * Without a bus (null) the events stay in their outboxes. Cost: one indexed query per model and poll, plus one publish
 * and one bulk write per 50 documents.
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
  let isWokenWhileRunning = false;

  async function publishAll(): Promise<void> {
    if (!bus) return;
    for (const model of models) {
      while (await publishBatch(model, bus, metrics));
    }
  }

  function publishPending(): void {
    if (running) {
      isWokenWhileRunning = true;
      return;
    }
    running = publishAll()
      .catch((error: unknown) => logger.warn({ err: error }, 'publishing failed; events stay in the outbox'))
      .finally(() => {
        running = null;
        if (!isWokenWhileRunning) return;
        isWokenWhileRunning = false;
        publishPending();
      });
  }

  return {
    start() {
      timer = setInterval(publishPending, pollMs);
      timer.unref();
      publishPending();
    },
    wake: publishPending,
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
      const isLarge = backlog >= degradedBacklog;
      const noBusNote = bus ? '' : '; no event bus is set (KAFKA_BROKERS), so events stay in the database';
      return {
        name: 'events',
        state: isLarge || !bus ? PartState.DEGRADED : PartState.OK,
        detail: `${backlog} ${nounFor(backlog, 'change')} not published yet${noBusNote}`,
        is_embedded: bus?.isEmbedded ?? false,
      };
    },
  };
}

/** A range instead of `$exists`, because some engines use a sparse index only for a range. */
const pending = { outbox_since: { $gt: new Date(0) } };

/**
 * Publishes one batch. Returns whether another one should follow: the batch was full, so there may be more documents,
 * and some of its outboxes were emptied, so the next query finds others.
 */
async function publishBatch(model: Model<unknown>, bus: EventBus, metrics: Metrics): Promise<boolean> {
  const documents = (await model
    .find(pending)
    .sort({ outbox_since: 1 })
    .limit(documentsPerBatch)
    .select({ outbox: 1, outbox_last: 1 })
    .lean()) as OutboxDocument[];
  const events = documents.flatMap((document) => toRecords(document.outbox ?? {}));
  if (events.length > 0) {
    await bus.publish(events);
    for (const event of events) metrics.eventsPublished.inc({ topic: event.topic });
  }
  if (documents.length === 0) return false;
  const cleared = await clear(model, documents);
  return documents.length === documentsPerBatch && cleared > 0;
}

function toRecords(outbox: Record<string, StoredEvent>): EventRecord[] {
  return Object.entries(outbox).map(([id, { topic, key, payload, at, request_id: requestId }]) => {
    const record: EventRecord = { id, topic, key, payload: toBytes(payload), at };
    if (requestId !== null) record.requestId = requestId;
    return record;
  });
}

/** The driver returns binary fields in a wrapper of its own. */
function toBytes(payload: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return payload instanceof Uint8Array ? payload : payload.buffer;
}

/**
 * Empties the published outboxes. A document that got another event in the meantime is left unchanged: its next
 * publication repeats some events, with the same ids.
 */
async function clear(model: Model<unknown>, documents: readonly OutboxDocument[]): Promise<number> {
  const { modifiedCount } = await bulkWriteInChunks(
    model,
    documents.map(({ _id, outbox_last: outboxLast }) => ({
      updateOne: {
        filter: { _id, outbox_last: outboxLast },
        update: { $unset: { outbox: '', outbox_since: '', outbox_last: '' } },
      },
    })),
  );
  return modifiedCount;
}
