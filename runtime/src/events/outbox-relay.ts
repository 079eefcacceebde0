import type { Model } from 'mongoose';
import { type RetryDelays, retryDelayMs } from '../jobs/retry-delay.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { bulkWriteInChunks } from '../mongo/bulk-write-in-chunks.ts';
import { hideDriverError } from '../mongo/database-errors.ts';
import { createLease, type Lease } from '../mongo/lease.ts';
import { nounFor } from '../noun-for.ts';
import { PartState, type StatusCheck } from '../process/status.ts';
import type { EventBus, EventRecord } from './event-bus.ts';
import type { StoredEvent } from './outbox.ts';

type OutboxDocument = { _id: unknown; outbox?: Record<string, StoredEvent>; outbox_last?: string };

export type OutboxRelay = {
  start(): void;
  /** Publishes new events now instead of at the next poll. Costs nothing while another copy publishes. */
  wake(): void;
  /** Looks for events now; called once a second from the start on. */
  poll(): void;
  /** Publishes all pending events, then stops. Rejects if that fails; the events then stay in their outboxes. */
  stop(): Promise<void>;
  status: StatusCheck;
};

const pollMs = 1000;
/** One bulk write empties the outboxes of a batch. */
const documentsPerBatch = 50;
/** A backlog of this many documents is shown as degraded. Counting stops there. */
const degradedBacklog = 1000;
/** After this time without a sign of life of the copy that publishes, another copy continues. */
const leaseMs = 6000;
/** The pauses after failures. Within a pause, new events cause no query. */
const failureDelays: RetryDelays = { firstMs: 500, longestMs: 2000 };

/** A range instead of `$exists`, because some engines use a sparse index only for a range. */
const pending = { outbox_since: { $gt: new Date(0) } };

/**
 * Publishes events from outboxes to the bus. The document that has waited longest since its newest event comes first.
 * Without a bus (null) the events stay in their outboxes. Cost: one indexed query per model and poll, plus one publish
 * and one bulk write per 50 documents; with several copies also one write in 2 s while there is something to publish.
 *
 * Of several copies on one database one publishes, so that each event is published once, and the events of a document
 * in their order. The others look once a second whether it still does, and one of them continues 6 s after it died.
 * An event is published again, with the same id, only if a copy dies between publishing and emptying the outboxes, or
 * stands still for longer than the lease at that point. In the second case the repetition may follow newer events of
 * its key; consumers skip it by its id.
 */
export function createOutboxRelay(deps: {
  /** All on one connection. */
  models: readonly Model<unknown>[];
  bus: EventBus | null;
  /** False when no other process can use the database. */
  hasCopies: boolean;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** Default: that of the process. */
  monotonicMs?: () => number;
}): OutboxRelay {
  const { models, bus, logger, metrics, now, monotonicMs = () => performance.now() } = deps;
  const connection = models[0]?.db;
  const lease =
    deps.hasCopies && connection ? createLease({ connection, name: 'outbox', leaseMs, monotonicMs }) : null;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isWokenWhileRunning = false;
  /** Consecutive failures, and until when nothing is tried, in epoch ms. */
  let failures = 0;
  let pausedUntil = 0;
  /** Whether another copy published at the last look. Then only a poll looks again. */
  let isOtherPublishing = false;

  async function publishAll(): Promise<void> {
    if (!bus) return;
    isOtherPublishing = false;
    const renewals = lease && setInterval(() => void lease.hold().catch(() => {}), leaseMs / 3);
    try {
      for (const model of models) {
        let outcome = await publishBatch(model, bus, lease, metrics);
        while (outcome === 'more') outcome = await publishBatch(model, bus, lease, metrics);
        isOtherPublishing = outcome === 'not mine';
        if (isOtherPublishing) return;
      }
    } finally {
      if (renewals) clearInterval(renewals);
    }
  }

  function onFailure(error: unknown): void {
    failures += 1;
    const delayMs = retryDelayMs(failures, Math.random, failureDelays);
    pausedUntil = now().getTime() + delayMs;
    // Once per outage: an attempt every two seconds would fill the log.
    if (failures > 1) return;
    logger.warn({ err: error }, 'publishing failed; events stay in the outbox until it succeeds');
  }

  function isPaused(): boolean {
    const leftMs = pausedUntil - now().getTime();
    // Longer after the clock was set back.
    return leftMs > 0 && leftMs <= failureDelays.longestMs;
  }

  function publishPending(): void {
    if (isPaused()) return;
    if (running) {
      isWokenWhileRunning = true;
      return;
    }
    running = publishAll()
      .then(() => {
        failures = 0;
      }, onFailure)
      .finally(() => {
        running = null;
        if (!isWokenWhileRunning) return;
        isWokenWhileRunning = false;
        wake();
      });
  }

  function wake(): void {
    if (!isOtherPublishing) publishPending();
  }

  return {
    start() {
      timer = setInterval(publishPending, pollMs);
      timer.unref();
      publishPending();
    },
    wake,
    poll: publishPending,
    async stop() {
      clearInterval(timer);
      while (running) await running;
      try {
        await publishAll();
      } finally {
        await lease?.release().catch(() => {});
      }
    },
    async status() {
      const counts = await hideDriverError(
        Promise.all(models.map((model) => model.countDocuments(pending, { limit: degradedBacklog }))),
      );
      const backlog = counts.reduce((sum, count) => sum + count, 0);
      const isLarge = backlog >= degradedBacklog;
      const changes = isLarge
        ? `${degradedBacklog.toLocaleString('en-US')} or more changes`
        : `${backlog} ${nounFor(backlog, 'change')}`;
      const noBusNote = bus ? '' : '; no event bus is set (KAFKA_BROKERS), so events stay in the database';
      return {
        name: 'events',
        state: isLarge || !bus ? PartState.DEGRADED : PartState.OK,
        detail: `${changes} not published yet${noBusNote}`,
        is_embedded: bus?.isEmbedded ?? false,
      };
    },
  };
}

/**
 * Publishes one batch. Returns `more` when another one should follow: the batch was full, so there may be more
 * documents, and some of its outboxes were emptied, so the next query finds others. `not mine`: there is something to
 * publish, and another copy does so.
 */
async function publishBatch(
  model: Model<unknown>,
  bus: EventBus,
  lease: Lease | null,
  metrics: Metrics,
): Promise<'more' | 'none' | 'not mine'> {
  // The lease is taken only when there is something to publish, and before the batch is read: the copy that had it may
  // have published what was read earlier.
  if (lease && !lease.isHeld() && !(await hasPending(model))) return 'none';
  if (lease && !(await lease.hold())) return 'not mine';
  const documents = (await model
    .find(pending)
    .sort({ outbox_since: 1 })
    .limit(documentsPerBatch)
    .select({ outbox: 1, outbox_last: 1 })
    .lean()) as OutboxDocument[];
  const events = documents.flatMap((document) => toRecords(document.outbox ?? {}));
  // The query may have taken longer than the lease.
  if (lease && !lease.isHeld()) return 'not mine';
  if (events.length > 0) {
    await bus.publish(events);
    for (const event of events) metrics.eventsPublished.inc({ topic: event.topic });
  }
  if (documents.length === 0) return 'none';
  const cleared = await clear(model, documents);
  return documents.length === documentsPerBatch && cleared > 0 ? 'more' : 'none';
}

async function hasPending(model: Model<unknown>): Promise<boolean> {
  return (await model.find(pending).limit(1).select({ _id: 1 }).lean()).length > 0;
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
 * Empties the published outboxes. Of a document that got another event in the meantime only the published events are
 * removed. Returns how many documents changed.
 */
async function clear(model: Model<unknown>, documents: readonly OutboxDocument[]): Promise<number> {
  const { modifiedCount: emptied } = await bulkWriteInChunks(
    model,
    documents.map(({ _id, outbox_last: outboxLast }) => ({
      updateOne: {
        filter: { _id, outbox_last: outboxLast },
        update: { $unset: { outbox: '', outbox_since: '', outbox_last: '' } },
      },
    })),
  );
  if (emptied === documents.length) return emptied;
  const { modifiedCount: shortened } = await bulkWriteInChunks(
    model,
    documents.map(({ _id, outbox = {}, outbox_last: outboxLast }) => ({
      updateOne: {
        filter: { _id, outbox_last: { $nin: [outboxLast, null] } },
        update: { $unset: Object.fromEntries(Object.keys(outbox).map((id) => [`outbox.${id}`, ''])) },
      },
    })),
  );
  return emptied + shortened;
}
