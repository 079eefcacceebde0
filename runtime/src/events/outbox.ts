import { randomUUID } from 'node:crypto';
import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import { Schema } from 'mongoose';
import { AppError } from '../errors.ts';
import { activeSpan } from '../tracing/tracing.ts';
import type { EventRecord } from './event-bus.ts';

/**
 * The outbox pattern within one document. One write stores a change together with its events, so that a crash keeps
 * or loses both. A relay publishes the events afterwards and removes them. An event may be published twice, which is
 * harmless, because it keeps its id.
 *
 * The outbox is a map by event id instead of an array: MongoDB, FerretDB and the embedded engine all support `$set`
 * and `$unset` of dotted fields, but not the same array operators.
 */
export const outboxFields = {
  outbox: { type: Schema.Types.Mixed },
  /**
   * The time of the newest event; absent while the outbox is empty. Its sparse index finds the documents with pending
   * events.
   */
  outbox_since: { type: Date },
  /** The id of the newest event. The relay empties an outbox only if this id has not changed since it was read. */
  outbox_last: { type: String },
};

/** Selects the documents whose events are all published. */
export const published = { outbox_since: null };

/** An event as stored in an outbox, and in the log of the embedded bus. */
export type StoredEvent = {
  topic: string;
  key: string;
  payload: Uint8Array;
  at: Date;
  request_id: string | null;
  /** The span in which the change was made; absent without one. */
  traceparent?: string;
};

/** An event to write together with its change. */
export type NewEvent = { id: string; stored: StoredEvent };

/** Kafka's usual limit of a message is 48 KB more, which leaves room for its key and headers, and those of a dead letter. */
export const maxEventBytes = 1_000_000;

/**
 * Encodes `message` as an event with a new id. Events with the same `key` are delivered one after another.
 * @throws AppError INTERNAL_ERROR when the event is too large to be published, so that the change is not made either
 */
export function newEvent<T extends Topic>(
  topic: T,
  key: string,
  message: TopicMessages[T],
  context: { at: Date; requestId: string },
): NewEvent {
  const codec = topics[topic] as MessageCodec<TopicMessages[T]>;
  const payload = Buffer.from(codec.encode(message).finish());
  if (payload.length > maxEventBytes)
    throw new AppError(
      'INTERNAL_ERROR',
      `The change was not made: its event ${topic} would have ${payload.length} bytes, more than ${maxEventBytes}.`,
    );
  const stored: StoredEvent = { topic, key, payload, at: context.at, request_id: context.requestId };
  const span = activeSpan();
  if (span !== null) stored.traceparent = span.traceparent;
  return { id: randomUUID(), stored };
}

/**
 * The `$set` fields that add an event to a document's outbox; spread them into the update that makes the change. Add
 * only one event per update: the map must keep the order of the events. A database appends a single new field, but may
 * add several in any order.
 *
 * @param at the time of the event
 */
export function outboxSet({ id, stored }: NewEvent, at: Date): Record<string, unknown> {
  return { [`outbox.${id}`]: stored, outbox_since: at, outbox_last: id };
}

/** Like `outboxSet`, for an inserted document. */
export function outboxInsert({ id, stored }: NewEvent, at: Date): Record<string, unknown> {
  return { outbox: { [id]: stored }, outbox_since: at, outbox_last: id };
}

export function toStored(record: Omit<EventRecord, 'id'>): StoredEvent {
  const { topic, key, payload, at, requestId, traceparent } = record;
  const stored: StoredEvent = { topic, key, payload, at, request_id: requestId ?? null };
  if (traceparent !== undefined) stored.traceparent = traceparent;
  return stored;
}

export function toRecord(id: string, stored: StoredEvent): EventRecord {
  const { topic, key, payload, at, request_id: requestId, traceparent } = stored;
  const record: EventRecord = { id, topic, key, payload: toBytes(payload), at };
  if (requestId !== null) record.requestId = requestId;
  if (traceparent !== undefined) record.traceparent = traceparent;
  return record;
}

/** The driver returns binary fields in a wrapper of its own. */
function toBytes(payload: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return payload instanceof Uint8Array ? payload : payload.buffer;
}
