import type { Logger } from '../log/logger.ts';
import type { Run } from '../process/run.ts';
import { setTracing } from './tracing.ts';
import type { TracingSettings } from './tracing-settings.ts';

/**
 * Records the work of this process and sends it to the collector of the settings. Without one nothing happens, and
 * nothing of OpenTelemetry is loaded.
 * @param deps `name` is the process, in the traces
 */
export async function startTracing(
  settings: TracingSettings,
  { name, logger, onStop }: { name: string; logger: Logger; onStop: Run['onStop'] },
): Promise<void> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none')
    return;
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  const { tracing, stop } = createOpenTelemetry({ name, logger });
  setTracing(tracing);
  onStop('tracing', async () => {
    await stop();
    setTracing(null);
  });
}
