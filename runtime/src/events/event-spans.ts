import { inSpan, recordError } from '../tracing/in-span.ts';
import { currentTracing, type NewSpan, type Span, type SpanAttributes } from '../tracing/tracing.ts';
import { type EventRecord, EventsRefusedError } from './event-bus.ts';

// A trace goes on through an event: the change (its span is stored with the event), the publishing, and the handling
// by each group. Never in a span: the key and the payload, which hold what users have sent.

/**
 * Publishes events. Each event that belongs to a trace gets a span, from which its consumers continue.
 * @param events the objects that `publish` publishes: their `traceparent` becomes that span
 */
export async function publishInSpans(
  events: readonly EventRecord[],
  publish: () => Promise<void>,
): Promise<void> {
  const tracing = currentTracing();
  if (tracing === null) return publish();
  const spans = new Map<EventRecord, Span>();
  for (const event of events) {
    if (event.traceparent === undefined) continue;
    const { topic, traceparent: parent } = event;
    const attributes = { ...describe(event), 'messaging.operation.type': 'send' };
    const span = tracing.start({ name: `publish ${topic}`, kind: 'producer', parent, attributes });
    event.traceparent = span.traceparent;
    spans.set(event, span);
  }
  try {
    await publish();
  } catch (error) {
    const failed = error instanceof EventsRefusedError ? error.events : events;
    for (const event of failed) spans.get(event)?.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    for (const span of spans.values()) span.end();
  }
}

/** Handles an event, one attempt, in a span of the trace that it comes from. An event without one starts a trace. */
export function handleInSpan(
  { group, event, attempt }: { group: string; event: EventRecord; attempt: number },
  handle: () => Promise<void>,
): Promise<void> {
  const tracing = currentTracing();
  if (tracing === null) return handle();
  return inSpan(tracing, toHandlingSpan(group, event, { 'shelfwise.attempt': attempt }), handle);
}

/**
 * Handles events together. Each event that belongs to a trace has its span there. The work is in the span of one of
 * them, and the others are linked to it.
 */
export async function handleTogetherInSpan(
  { group, events }: { group: string; events: readonly EventRecord[] },
  handle: () => Promise<void>,
): Promise<void> {
  const tracing = currentTracing();
  const leading = events.find(isRecorded) ?? events[0];
  if (tracing === null || leading === undefined) return handle();
  const size = { 'messaging.batch.message_count': events.length };
  return inSpan(tracing, toHandlingSpan(group, leading, size), async ({ traceparent }) => {
    const spans = events
      .filter((event) => event !== leading && event.traceparent !== undefined)
      .map((event) => tracing.start({ ...toHandlingSpan(group, event, size), links: [traceparent] }));
    try {
      await handle();
    } catch (error) {
      for (const span of spans) recordError(span, error);
      throw error;
    } finally {
      for (const span of spans) span.end();
    }
  });
}

/** The id of the trace that an event belongs to, for the log. */
export function traceIdOf({ traceparent }: EventRecord): string | undefined {
  return traceparent?.split('-')[1];
}

function isRecorded({ traceparent }: EventRecord): boolean {
  return traceparent?.endsWith('-01') ?? false;
}

function toHandlingSpan(group: string, event: EventRecord, attributes: SpanAttributes): NewSpan {
  return {
    name: `process ${event.topic}`,
    kind: 'consumer',
    parent: event.traceparent ?? null,
    attributes: {
      ...describe(event),
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': group,
      ...attributes,
    },
  };
}

function describe({ id, topic, requestId }: EventRecord): SpanAttributes {
  return {
    'messaging.destination.name': topic,
    'messaging.message.id': id,
    'shelfwise.request_id': requestId,
  };
}
