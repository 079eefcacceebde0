import type { ReceivedSpan } from './decode-trace-request.ts';

/** What the SDK passes to an exporter, as far as tests look at it. */
type Exporter = NonNullable<
  Parameters<typeof import('@shelfwise/runtime/tracing/open-telemetry').createOpenTelemetry>[0]['exporter']
>;
type SdkSpan = Parameters<Exporter['export']>[0][number];

export type SpanRecorder = {
  exporter: Exporter;
  spans(): readonly ReceivedSpan[];
  /** Resolves with the spans once they are as wanted, or there are this many. */
  until(isWanted: number | ((spans: readonly ReceivedSpan[]) => boolean)): Promise<readonly ReceivedSpan[]>;
  /** Whether a text is anywhere in the spans. */
  hasReceived(text: string): boolean;
};

/** Records the spans of this process. Jest cannot load the exporter's HTTP client, so nothing is sent. */
export function createSpanRecorder(): SpanRecorder {
  const spans: ReceivedSpan[] = [];
  const raw: string[] = [];
  const waiting = new Set<() => void>();
  return {
    exporter: {
      export(batch, done) {
        for (const span of batch) {
          spans.push(toReceived(span));
          const { name, attributes, events, links, status, resource } = span;
          raw.push(JSON.stringify([name, attributes, events, links, status, resource.attributes]));
        }
        done({ code: 0 });
        for (const look of waiting) look();
      },
      shutdown: async () => {},
    },
    spans: () => spans,
    until(isWanted) {
      const isDone = () => (typeof isWanted === 'number' ? spans.length >= isWanted : isWanted(spans));
      return new Promise((resolve) => {
        const look = () => {
          if (!isDone()) return;
          waiting.delete(look);
          resolve(spans);
        };
        waiting.add(look);
        look();
      });
    },
    hasReceived: (text) => raw.some((one) => one.includes(text)),
  };
}

const kinds = ['internal', 'server', 'client', 'producer', 'consumer'] as const;
const failed = 2;

function toReceived(span: SdkSpan): ReceivedSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    parentId: span.parentSpanContext?.spanId ?? '',
    name: span.name,
    kind: kinds[span.kind] ?? 'internal',
    attributes: { ...span.attributes } as ReceivedSpan['attributes'],
    links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
    isFailed: span.status.code === failed,
    resource: { ...span.resource.attributes } as ReceivedSpan['resource'],
  };
}
