import { z } from 'zod';
import { booleanSetting, urlSetting } from '../process/config.ts';

const protocolSetting = z.literal('http/protobuf', 'must be http/protobuf').optional();

/**
 * The standard settings of OpenTelemetry that decide whether there are traces, and those whose mistakes would go
 * unnoticed. The SDK reads further ones itself, such as the headers for the collector.
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: urlSetting.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocolSetting,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocolSetting,
  OTEL_SDK_DISABLED: booleanSetting.default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      'must be always_on, always_off, traceidratio, or one of these after parentbased_',
    )
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .optional(),
};

export type TracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;
