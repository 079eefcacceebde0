import { createLogger } from '@shelfwise/runtime/log/logger';
import { createOpenTelemetry } from '@shelfwise/runtime/tracing/open-telemetry';
import { setTracing } from '@shelfwise/runtime/tracing/tracing';
import { createSpanRecorder, type SpanRecorder } from './span-recorder.ts';

/** Tracing of this process, with a recorder in place of a collector, new for each test. */
export function useTracing(): Pick<SpanRecorder, 'until' | 'hasReceived' | 'spans'> {
  let recorder: SpanRecorder;
  let stop: () => Promise<void>;
  beforeEach(() => {
    recorder = createSpanRecorder();
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
    const opened = createOpenTelemetry({
      name: 'test',
      logger,
      exporter: recorder.exporter,
      sendEveryMs: 10,
    });
    setTracing(opened.tracing);
    stop = opened.stop;
  });
  afterEach(async () => {
    setTracing(null);
    await stop();
  });
  return {
    spans: () => recorder.spans(),
    until: (isWanted) => recorder.until(isWanted),
    hasReceived: (text) => recorder.hasReceived(text),
  };
}
