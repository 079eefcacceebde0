import type { Model } from 'mongoose';
import type { OutboxBacklog } from '../metrics/outbox-metrics.ts';
import { bulkWriteInChunks } from '../mongo/bulk-write-in-chunks.ts';
import { keepHeld, type Lease } from '../mongo/lease.ts';
import { type EventBus, type EventRecord, EventsRefusedError } from './event-bus.ts';
import { publishInSpans } from './event-spans.ts';
import { type StoredEvent, toRecord } from './outbox.ts';

type OutboxDocument = { _id: unknown; outbox?: Record<string, StoredEvent>; outbox_last?: string };

/** One bulk write empties the outboxes of a batch. */
const documentsPerBatch = 50;
/** Counting for metrics stops there. */
const backlogLimit = 1000;
/** After this time without a sign of life of the copy that publishes, another copy continues. */
export const relayLeaseMs = 6000;

/** A range instead of `$exists`, because some engines use a sparse index only for a range. */
export const pending = { outbox_since: { $gt: new Date(0) } };

export type PublishDeps = {
  bus: EventBus;
  /** Null when no other copy publishes. */
  lease: Lease | null;
  onPublished(event: EventRecord): void;
  /** The bus never accepts the event. It stays in its outbox, and is tried again with the next event of the document. */
  onRefused(event: EventRecord, reason: unknown): void;
};

/**
 * `more`: another batch should follow. This one was full, so there may be more documents, and some of its outboxes were
 * emptied, so the next query finds others. `not mine`: there is something to publish, and another copy does so.
 */
export type PublishOutcome = 'more' | 'published' | 'nothing' | 'not mine';

/** Publishes one batch. */
export async function publishBatch(model: Model<unknown>, deps: PublishDeps): Promise<PublishOutcome> {
  const { lease } = deps;
  if (!lease) return publishFirst(model, deps, () => false);
  // The lease is taken only when there is something to publish, and before the batch is read: the copy that had it may
  // have published what was read earlier.
  if (!lease.isHeld() && !(await hasPending(model))) return 'nothing';
  if (!(await lease.hold())) return 'not mine';
  const lostError = () => new Error('another copy publishes');
  const renewing = keepHeld(lease, { leaseMs: relayLeaseMs, lostError });
  // A lost lease is not taken back within the batch: another copy may have published it meanwhile.
  renewing.lost.addEventListener('abort', renewing.stop, { once: true });
  try {
    return await publishFirst(model, deps, () => renewing.lost.aborted || !lease.isHeld());
  } finally {
    renewing.stop();
  }
}

async function publishFirst(
  model: Model<unknown>,
  deps: PublishDeps,
  isLost: () => boolean,
): Promise<PublishOutcome> {
  const documents = (await model
    .find(pending)
    .sort({ outbox_since: 1 })
    .limit(documentsPerBatch)
    .select({ outbox: 1, outbox_last: 1 })
    .lean()) as OutboxDocument[];
  // The query may have taken longer than the lease.
  if (isLost()) return 'not mine';
  if (documents.length === 0) return 'nothing';
  const refused = await publish(
    documents.flatMap(({ outbox = {} }) =>
      Object.entries(outbox).map(([id, stored]) => toRecord(id, stored)),
    ),
    deps,
  );
  const cleared = await clear(model, documents, refused);
  return documents.length === documentsPerBatch && cleared > 0 ? 'more' : 'published';
}

/** How much waits, for metrics: one query of an index per model, which reads up to 1,000 entries. */
export async function readBacklog(models: readonly Model<unknown>[]): Promise<OutboxBacklog> {
  const waiting = await Promise.all(
    models.map((model) =>
      model
        .find(pending)
        .sort({ outbox_since: 1 })
        .limit(backlogLimit)
        .select({ _id: 0, outbox_since: 1 })
        .lean<{ outbox_since: Date }[]>(),
    ),
  );
  const since = waiting.flat().map(({ outbox_since: at }) => at.getTime());
  return {
    pendingDocuments: Math.min(since.length, backlogLimit),
    oldestAt: since.length === 0 ? null : new Date(since.reduce((first, at) => Math.min(first, at))),
  };
}

async function hasPending(model: Model<unknown>): Promise<boolean> {
  return (await model.find(pending).limit(1).select({ _id: 1 }).lean()).length > 0;
}

/** Returns the ids of the events that the bus refuses. */
async function publish(events: readonly EventRecord[], deps: PublishDeps): Promise<ReadonlySet<string>> {
  const { bus, onPublished, onRefused } = deps;
  const refused = new Set<string>();
  if (events.length === 0) return refused;
  try {
    await publishInSpans(events, () => bus.publish(events));
  } catch (error) {
    if (!(error instanceof EventsRefusedError)) throw error;
    for (const event of error.events) {
      refused.add(event.id);
      onRefused(event, error.cause);
    }
  }
  for (const event of events) if (!refused.has(event.id)) onPublished(event);
  return refused;
}

/**
 * Empties the published outboxes. Of a document that got another event in the meantime, or has a refused one, only the
 * published events are removed. Returns how many documents changed.
 */
async function clear(
  model: Model<unknown>,
  documents: readonly OutboxDocument[],
  refused: ReadonlySet<string>,
): Promise<number> {
  const read = documents.map(({ _id, outbox = {}, outbox_last: last }) => {
    const published = Object.keys(outbox).filter((id) => !refused.has(id));
    const events = Object.fromEntries(published.map((id) => [`outbox.${id}`, '']));
    const whole: Record<string, string> = { outbox: '' };
    const removed = published.length === Object.keys(outbox).length ? whole : events;
    return { _id, last, events, removed };
  });
  const { modifiedCount: emptied } = await bulkWriteInChunks(
    model,
    read.map(({ _id, last, removed }) => ({
      updateOne: {
        filter: { _id, outbox_last: last },
        update: { $unset: { ...removed, outbox_since: '', outbox_last: '' } },
      },
    })),
  );
  if (emptied === documents.length) return emptied;
  const { modifiedCount: shortened } = await bulkWriteInChunks(
    model,
    read
      .filter(({ events }) => Object.keys(events).length > 0)
      .map(({ _id, last, events }) => ({
        updateOne: { filter: { _id, outbox_last: { $nin: [last, null] } }, update: { $unset: events } },
      })),
  );
  return emptied + shortened;
}
