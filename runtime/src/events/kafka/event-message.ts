import type { EventRecord } from '../event-bus.ts';
import type { KafkaMessage, Message } from './kafka-client.ts';

const header = {
  id: 'id',
  at: 'at',
  requestId: 'request-id',
  /** The name in W3C Trace Context, which tools that read the topics know. */
  traceparent: 'traceparent',
  onlyGroup: 'only-group',
} as const;

/**
 * An event as a message. Its own headers carry what the event has besides key and payload.
 * @param onlyGroup the only group that receives it; others skip it
 */
export function toMessage(event: EventRecord, onlyGroup?: string): Message {
  const headers: Record<string, string> = { [header.id]: event.id, [header.at]: event.at.toISOString() };
  if (event.requestId !== undefined) headers[header.requestId] = event.requestId;
  if (event.traceparent !== undefined) headers[header.traceparent] = event.traceparent;
  if (onlyGroup !== undefined) headers[header.onlyGroup] = onlyGroup;
  return { key: event.key, value: Buffer.from(event.payload), headers };
}

/** The event of a message; null when it has no id, no time or no payload: then this system did not publish it. */
export function fromMessage(topic: string, { key, value, headers }: KafkaMessage): EventRecord | null {
  const id = headers?.[header.id]?.toString();
  const at = new Date(headers?.[header.at]?.toString() ?? Number.NaN);
  if (!id || Number.isNaN(at.getTime()) || key === null || value === null) return null;
  const event: EventRecord = { id, topic, key: key.toString(), payload: new Uint8Array(value), at };
  const requestId = headers?.[header.requestId]?.toString();
  if (requestId !== undefined) event.requestId = requestId;
  const traceparent = headers?.[header.traceparent]?.toString();
  if (traceparent !== undefined) event.traceparent = traceparent;
  return event;
}

/** Whether the message is for this group: most messages are for all. */
export function isForGroup({ headers }: KafkaMessage, group: string): boolean {
  const onlyGroup = headers?.[header.onlyGroup]?.toString();
  return onlyGroup === undefined || onlyGroup === group;
}
