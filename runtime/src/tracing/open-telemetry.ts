import { randomUUID } from 'node:crypto';
import {
  type Context,
  context,
  type DiagLogFunction,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { within } from '../concurrency/within.ts';
import type { Logger } from '../log/logger.ts';
import { createSpanExporter } from './span-exporter.ts';
import type { NewSpan, Span, SpanAttributes, Tracing } from './tracing.ts';

// Only this file and the exporter know OpenTelemetry. They are loaded only when there is a collector.

/** A process that stops waits no longer for the collector: open calls may take eight of its ten seconds. */
const lastExportMs = 1000;

const kinds: Readonly<Record<NewSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Tracing with the OpenTelemetry SDK. Spans wait in a bounded queue (OTEL_BSP_MAX_QUEUE_SIZE) and are sent in
 * batches; what does not fit is dropped.
 */
export function createOpenTelemetry({
  name,
  logger,
  exporter,
  sendEveryMs,
}: {
  /** The process, in the traces. */
  name: string;
  logger: Logger;
  /** Default: to the collector of the settings. */
  exporter?: SpanExporter;
  /** Default: as the settings say. */
  sendEveryMs?: number;
}): {
  tracing: Tracing;
  /** Sends what waits, for at most a second. */
  stop(): Promise<void>;
} {
  // The exporter reports failed exports. Everything else helps only to find a mistake.
  const toLog: DiagLogFunction = (message) => logger.debug({ opentelemetry: message }, 'OpenTelemetry');
  diag.setLogger(
    { error: toLog, warn: toLog, info: toLog, debug: toLog, verbose: toLog },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler(() => {});
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider({
    resource: createResource(name),
    spanProcessors: [
      new BatchSpanProcessor(
        createSpanExporter(logger, exporter),
        sendEveryMs === undefined ? {} : { scheduledDelayMillis: sendEveryMs },
      ),
    ],
  });
  const tracer = provider.getTracer('shelfwise');

  const tracing: Tracing = {
    start({ name, kind, parent, links = [], attributes = {} }) {
      const options = {
        kind: kinds[kind],
        attributes,
        links: links.flatMap((link) => {
          const linked = parseTraceParent(link);
          return linked ? [{ context: linked }] : [];
        }),
      };
      return toSpan(tracer.startSpan(name, options, toContext(parent)));
    },
    runIn(span, work) {
      const spanContext = span === null ? ROOT_CONTEXT : (span as TracedSpan).context();
      return context.with(spanContext, work);
    },
    active() {
      const span = trace.getActiveSpan();
      return span ? toSpan(span) : null;
    },
  };

  return {
    tracing,
    async stop() {
      await within(lastExportMs, 'sending the last spans', provider.shutdown()).catch(() => {});
      context.disable();
      diag.disable();
    },
  };
}

/** OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME win. Nothing of the command line, the user or the host is read. */
function createResource(name: string) {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': name, 'service.instance.id': randomUUID() }))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The context whose span is the parent of a new one. */
function toContext(parent: string | null | undefined): Context {
  if (parent === undefined) return context.active();
  const parentSpan = parent === null ? null : parseTraceParent(parent);
  return parentSpan ? trace.setSpanContext(ROOT_CONTEXT, { ...parentSpan, isRemote: true }) : ROOT_CONTEXT;
}

type TracedSpan = Span & { context(): Context };

function toSpan(span: OtelSpan): TracedSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    get traceparent() {
      return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
    },
    context: () => trace.setSpan(ROOT_CONTEXT, span),
    rename: (name) => void span.updateName(name),
    set: (attributes: SpanAttributes) => void span.setAttributes(attributes),
    fail(code) {
      span.setAttribute('error.type', code);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
