import { randomUUID } from 'node:crypto';
import { describeError, type FailedEvent } from '../event-delivery.ts';
import type { KafkaMessage, Message, TopicPartition } from './kafka-client.ts';

/** Longer texts are cut: a header is part of the message, whose size is limited. */
const longestError = 4000;

/** An event that a group could not handle, as it is stored. */
export type DeadLetter = {
  id: string;
  topic: string;
  key: string;
  payload: Uint8Array;
  /** When the event happened; null for a message that this system did not publish. */
  at: Date | null;
  requestId: string | null;
  traceparent: string | null;
  error: string;
  attempts: number;
  failedAt: Date;
};

export function toDeadLetter({ event, error, attempts }: FailedEvent, failedAt: Date): DeadLetter {
  const { id, topic, key, payload, at, requestId = null, traceparent = null } = event;
  const description = describeError(error);
  return { id, topic, key, payload, at, requestId, traceparent, error: description, attempts, failedAt };
}

/** A message without an id of its own, or without a payload. Its partition and offset are its id, so that it is stored once. */
export function toUnreadableDeadLetter(
  source: TopicPartition,
  { offset, key, value }: KafkaMessage,
  failedAt: Date,
): DeadLetter {
  return {
    id: `${source.topic}-${source.partition}-${offset}`,
    topic: source.topic,
    key: key?.toString() ?? '',
    payload: new Uint8Array(value ?? []),
    at: null,
    requestId: null,
    traceparent: null,
    error: 'the message has no id, no time or no payload: it is no event of this system',
    attempts: 0,
    failedAt,
  };
}

/**
 * In a compacted topic, a message with the same key and without a value removes it. The key is a new one for each
 * failure: removing a letter that is replayed never removes the letter of its next failure, whatever their order.
 */
export function toDeadLetterMessage(letter: DeadLetter): Message {
  const { id, topic, key, payload, at, requestId, traceparent, error, attempts, failedAt } = letter;
  const headers: Record<string, string> = {
    id,
    topic,
    key,
    error: error.slice(0, longestError),
    attempts: String(attempts),
    'failed-at': failedAt.toISOString(),
  };
  if (at) headers.at = at.toISOString();
  if (requestId !== null) headers['request-id'] = requestId;
  if (traceparent !== null) headers.traceparent = traceparent;
  return { key: randomUUID(), value: Buffer.from(payload), headers };
}

/** The dead letter of a message; null for a message that removes one. */
export function fromDeadLetterMessage({ value, headers }: KafkaMessage): DeadLetter | null {
  if (value === null) return null;
  const read = (name: string) => headers?.[name]?.toString();
  const at = read('at');
  return {
    id: read('id') ?? '',
    topic: read('topic') ?? '',
    key: read('key') ?? '',
    payload: new Uint8Array(value),
    at: at === undefined ? null : new Date(at),
    requestId: read('request-id') ?? null,
    traceparent: read('traceparent') ?? null,
    error: read('error') ?? '',
    attempts: Number(read('attempts') ?? 0),
    failedAt: new Date(read('failed-at') ?? 0),
  };
}
