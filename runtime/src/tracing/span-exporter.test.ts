import type { ExportResult } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { createRecordingLogger } from '../../test/recording-logger.ts';
import { createOpenTelemetry } from './open-telemetry.ts';
import { createSpanExporter } from './span-exporter.ts';

type Spans = Parameters<SpanExporter['export']>[0];

const spans = (count: number) => Array.from({ length: count }, () => ({})) as unknown as Spans;

function create(results: readonly ExportResult[]) {
  const { logger, lines } = createRecordingLogger();
  const left = [...results];
  const exporter = createSpanExporter(logger, {
    export: (_, done) => done(left.shift() as ExportResult),
    shutdown: async () => {},
  });
  return { exporter, read: () => lines.map((line) => JSON.parse(line)) };
}

test('an outage of the collector is logged once, and its end with the number of lost spans', () => {
  const refused = Object.assign(new Error('connect to http://user:password@collector'), {
    code: 'ECONNREFUSED',
  });
  const { exporter, read } = create([
    { code: 0 },
    { code: 1, error: refused },
    { code: 1, error: new Error('later') },
    { code: 0 },
    { code: 0 },
    { code: 1 },
  ]);
  const codes: number[] = [];
  for (const count of [1, 2, 3, 4, 5, 6]) exporter.export(spans(count), ({ code }) => codes.push(code));
  expect(codes).toEqual([0, 1, 1, 0, 0, 1]);
  expect(read()).toMatchObject([
    { level: 40, reason: 'Error ECONNREFUSED' },
    { level: 30, lost_spans: 5 },
    { level: 40, reason: 'unknown' },
  ]);
  expect(JSON.stringify(read())).not.toContain('password');
});

test('with a collector that never answers spans are dropped beyond the queue, and a stop waits a second', async () => {
  jest.useFakeTimers();
  let received = 0;
  const { logger } = createRecordingLogger();
  const silent: SpanExporter = {
    export: (batch) => {
      received += batch.length;
    },
    shutdown: () => new Promise(() => {}),
  };
  const { tracing, stop } = createOpenTelemetry({ name: 'x', logger, exporter: silent, sendEveryMs: 1 });
  for (let n = 0; n < 20_000; n++) tracing.start({ name: 'x', kind: 'internal' }).end();
  const stopped = stop();
  await jest.advanceTimersByTimeAsync(1000);
  await stopped;
  jest.useRealTimers();
  // One batch was on its way; the queue holds four more.
  expect(received).toBe(512 + 2048);
});
