import { z } from 'zod';
import { createRecordingLogger } from '../../test/recording-logger.ts';
import { readConfig } from '../process/config.ts';
import { startTracing } from './start-tracing.ts';
import { currentTracing, setTracing } from './tracing.ts';
import { tracingSettings } from './tracing-settings.ts';

afterEach(() => setTracing(null));

test.each([
  ['without a collector', {}],
  ['with OTEL_SDK_DISABLED', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' }],
  [
    'with OTEL_TRACES_EXPORTER=none',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_TRACES_EXPORTER: 'none' },
  ],
])('%s tracing is off', async (_, environment) => {
  const settings = readConfig(z.object(tracingSettings), environment);
  const onStop = jest.fn();
  await startTracing(settings, { name: 'probe', logger: createRecordingLogger().logger, onStop });
  expect(currentTracing()).toBeNull();
  expect(onStop).not.toHaveBeenCalled();
});

test('an exporter that there is not is refused', () => {
  const environment = { OTEL_TRACES_EXPORTER: 'zipkin' };
  expect(() => readConfig(z.object(tracingSettings), environment)).toThrow('must be otlp or none');
});
