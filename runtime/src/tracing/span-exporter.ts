import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../log/logger.ts';
import { outsideSpans } from './tracing.ts';

/** Sends spans to the collector. For each outage the log has one warning, and one line when it is over. */
export function createSpanExporter(
  logger: Pick<Logger, 'warn' | 'info'>,
  // Reads its settings itself: the address, headers, timeout, compression and certificates.
  exporter: SpanExporter = new OTLPTraceExporter(),
): SpanExporter {
  let lostSpans = 0;

  function onExported(spans: number, { code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS) {
      if (lostSpans > 0) logger.info({ lost_spans: lostSpans }, 'the trace collector takes spans again');
      lostSpans = 0;
      return;
    }
    if (lostSpans === 0)
      logger.warn({ reason: describe(error) }, 'the trace collector does not take spans; they are dropped');
    lostSpans += spans;
  }

  return {
    export(spans, done) {
      // The timer of the SDK keeps the context in which it was started: that of some request.
      outsideSpans(() =>
        exporter.export(spans, (result) => {
          onExported(spans.length, result);
          done(result);
        }),
      );
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Without the message: it may hold the address with its password, or what the collector answers. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && error.code !== undefined ? `${error.name} ${error.code}` : error.name;
}
