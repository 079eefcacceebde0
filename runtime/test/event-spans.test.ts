import { type Topic, topics } from '@shelfwise/proto/topics';
import { createEvent } from '../../testing/event-collector.ts';
import { useTracing } from '../../testing/use-tracing.ts';
import { type EventRecord, type EventSubscription, EventsRefusedError } from '../src/events/event-bus.ts';
import { createEventDelivery } from '../src/events/event-delivery.ts';
import { publishInSpans } from '../src/events/event-spans.ts';
import { fromMessage, toMessage } from '../src/events/kafka/event-message.ts';
import {
  fromDeadLetterMessage,
  toDeadLetter,
  toDeadLetterMessage,
} from '../src/events/kafka/kafka-dead-letters.ts';
import { newEvent } from '../src/events/outbox.ts';
import { activeSpan, currentTracing, type Tracing } from '../src/tracing/tracing.ts';
import { createRecordingLogger } from './recording-logger.ts';

const traces = useTracing();

/** An event of a request that has its own trace. */
function eventOf(request: string, key = request): EventRecord {
  const span = (currentTracing() as Tracing).start({ name: request, kind: 'server', parent: null });
  span.end();
  return { ...createEvent(`of ${request}`, key), requestId: request, traceparent: span.traceparent };
}

function deliver(events: readonly EventRecord[], handlers: Partial<EventSubscription>) {
  const { logger, lines } = createRecordingLogger();
  const { deliver } = createEventDelivery({
    subscription: { group: 'g', topics: ['things.made.v1'], onEvent: async () => {}, ...handlers },
    retry: { retries: 1, firstMs: 1, longestMs: 1 },
    logger,
    addDeadLetter: async () => {},
    observer: { onApplied: () => {}, onDeadLetter: () => {} },
  });
  return deliver(events, new AbortController().signal).then(() => lines.map((line) => JSON.parse(line)));
}

test('a new event keeps the span in which it was made', () => {
  const tracing = currentTracing() as Tracing;
  const [topic] = Object.keys(topics) as [Topic];
  const make = () =>
    newEvent(topic, 'k', topics[topic].decode(new Uint8Array()), { at: new Date(0), requestId: 'r' });
  const span = tracing.start({ name: 'request', kind: 'server', parent: null });
  expect(tracing.runIn(span, make).stored.traceparent).toBe(span.traceparent);
  expect(make().stored).not.toHaveProperty('traceparent');
});

test('publishing and handling an event continue its trace, and what the handler does is a part of it', async () => {
  const event = eventOf('request 1');
  await publishInSpans([event, createEvent('of nothing')], async () => {});
  let handledIn: string | undefined;
  await deliver([event], {
    onEvent: async () => {
      handledIn = activeSpan()?.traceparent;
    },
  });
  const spans = await traces.until(3);
  const [request, publish, process] = ['request 1', 'publish things.made.v1', 'process things.made.v1'].map(
    (wanted) => spans.find(({ name }) => name === wanted),
  );
  expect([publish?.kind, publish?.parentId]).toEqual(['producer', request?.spanId]);
  expect([process?.kind, process?.parentId]).toEqual(['consumer', publish?.spanId]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(handledIn).toContain(process?.spanId);
  expect(process?.attributes).toEqual({
    'messaging.destination.name': 'things.made.v1',
    'messaging.message.id': 'of request 1',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': 'g',
    'shelfwise.request_id': 'request 1',
    'shelfwise.attempt': 1,
  });
});

test('events that are handled together each have a span in their trace, linked to the one with the work', async () => {
  const events = [
    createEvent('untraced', 'k'),
    eventOf('request 1'),
    eventOf('request 2'),
    eventOf('request 3'),
  ];
  let handledIn: string | undefined;
  const handleAll = async () => {
    handledIn = activeSpan()?.traceId;
  };
  await deliver(events, { batchHandlers: new Map([['things.made.v1', handleAll]]) });
  const spans = await traces.until(6);
  const of = (request: string) => {
    const { traceId } = spans.find(({ name }) => name === request) ?? {};
    return spans.filter((span) => span.traceId === traceId && span.kind === 'consumer');
  };
  const [[leading], second, third] = [of('request 1'), of('request 2'), of('request 3')];
  expect(handledIn).toBe(leading?.traceId);
  expect(leading?.links).toEqual([]);
  const link = { traceId: leading?.traceId, spanId: leading?.spanId };
  for (const linked of [second, third]) {
    expect(linked).toHaveLength(1);
    expect(linked[0]?.links).toEqual([link]);
    expect(linked[0]?.attributes['messaging.batch.message_count']).toBe(4);
  }
});

test('each failed attempt has a span with its code, and the log names the trace; never the key or the message', async () => {
  const event = eventOf('request 1', 'a text of a user');
  const lines = await deliver([event], {
    onEvent: () => Promise.reject(new TypeError('cannot read a text of a user')),
  });
  const spans = (await traces.until(3)).filter(({ kind }) => kind === 'consumer');
  expect(spans.map(({ attributes, isFailed }) => [attributes['shelfwise.attempt'], isFailed])).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(spans[0]?.attributes['error.type']).toBe('TypeError');
  expect(lines).toHaveLength(2);
  for (const line of lines)
    expect(line).toMatchObject({ trace_id: spans[0]?.traceId, request_id: 'request 1' });
  expect(traces.hasReceived('a text of a user')).toBe(false);
});

test('a failed publish marks the spans of its events; events that the bus refuses do not mark the others', async () => {
  const [good, bad] = [eventOf('good'), eventOf('bad')];
  const refuse = () => Promise.reject(new EventsRefusedError([bad], new Error('too large')));
  await expect(publishInSpans([good, bad], refuse)).rejects.toThrow();
  const failed = (await traces.until(4)).filter(({ isFailed }) => isFailed);
  expect(failed.map(({ attributes }) => attributes['shelfwise.request_id'])).toEqual(['bad']);
});

test('the trace survives Kafka and the dead letters; an event without one has none after it', () => {
  const event = eventOf('request 1');
  const sent = { ...toMessage(event), offset: '1', timestamp: '0', attributes: 0 } as never;
  expect(fromMessage(event.topic, toReceived(sent))).toEqual(event);
  const letter = toDeadLetter({ event, error: new Error('x'), attempts: 3 }, new Date(0));
  expect(fromDeadLetterMessage(toReceived(toDeadLetterMessage(letter)))?.traceparent).toBe(event.traceparent);
  const { traceparent: _, ...untraced } = event;
  expect(fromMessage(event.topic, toReceived(toMessage(untraced)))).toEqual(untraced);
});

/** Kafka returns keys and headers as bytes. */
function toReceived(message: { key?: unknown; value: unknown; headers?: object }): never {
  const bytes = (text: unknown) => Buffer.from(String(text));
  const headers = Object.fromEntries(
    Object.entries(message.headers ?? {}).map(([name, value]) => [name, bytes(value)]),
  );
  return { ...message, key: bytes(message.key), headers } as never;
}
