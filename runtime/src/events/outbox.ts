import { randomUUID } from 'node:crypto';
import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import { Schema } from 'mongoose';

/**
 * The outbox pattern inside one document: a change and the events that tell of it are one write, so that a crash
 * keeps or loses both. A relay publishes them afterwards and takes them out. Publishing twice is possible and
 * harmless: an event keeps its id.
 *
 * The outbox is a map by event id, not an array, because MongoDB, FerretDB and the embedded engine agree on `$set`
 * and `$unset` of dotted fields and on little else.
 */
export const outboxFields = {
  outbox: { type: Schema.Types.Mixed },
  /** Set while the outbox holds something: the sparse index over it finds the documents with work to do. */
  outbox_since: { type: Date },
  /** The id of the newest event: as long as it is the one that was read, nothing was added since. */
  outbox_last: { type: String },
};

/** An event as a document's outbox holds it. */
export type StoredEvent = {
  topic: string;
  key: string;
  payload: Uint8Array;
  at: Date;
  request_id: string | null;
};

/** An event that is about to be written with the change that it tells of. */
export type NewEvent = { id: string; stored: StoredEvent };

export function newEvent<T extends Topic>(
  topic: T,
  key: string,
  message: TopicMessages[T],
  context: { at: Date; requestId: string },
): NewEvent {
  const codec = topics[topic] as MessageCodec<TopicMessages[T]>;
  const payload = Buffer.from(codec.encode(message).finish());
  return { id: randomUUID(), stored: { topic, key, payload, at: context.at, request_id: context.requestId } };
}

/**
 * The `$set` fields that put an event into a document's outbox; spread them into the update that makes the change.
 * One event per update: a new field goes to the end of the map, several at once would go in an order of the engine's.
 */
export function outboxSet({ id, stored }: NewEvent, at: Date): Record<string, unknown> {
  return { [`outbox.${id}`]: stored, outbox_since: at, outbox_last: id };
}

/** The same for a document that is inserted. */
export function outboxInsert({ id, stored }: NewEvent, at: Date): Record<string, unknown> {
  return { outbox: { [id]: stored }, outbox_since: at, outbox_last: id };
}
