import { type DestinationStream, type Logger, pino } from 'pino';
import { activeSpan } from '../tracing/tracing.ts';
import { showError } from './log-error.ts';
import { escapeControls } from './printable.ts';
import { redactKeys } from './redact-keys.ts';

export type { Logger };

/**
 * Logs one JSON line per event. Levels: error = needs action, warn = needs attention, info = what happened, debug =
 * details. A line that is written within a span has its `trace_id`. Fields that could contain a secret are redacted,
 * and so is an API key anywhere in a line. A line holds no control characters, because it may be shown by a terminal.
 */
export function createLogger(options: {
  name: string;
  level: string;
  destination: DestinationStream;
}): Logger {
  return pino(
    {
      name: options.name,
      level: options.level,
      redact: {
        paths: ['key', 'api_key', 'apiKey', '*.key_hash', 'headers', '*.headers', 'uri', '*.uri'],
        censor: '[cut]',
      },
      serializers: { err: showError },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: readTrace,
      mixinMergeStrategy: (fields, added) => (added === noTrace ? fields : { ...added, ...fields }),
    },
    { write: (line) => options.destination.write(`${escapeControls(redactKeys(line.trimEnd()))}\n`) },
  );
}

const noTrace = {};

/** What each line has in addition; `noTrace` while tracing is off, and outside of spans. */
function readTrace(): { trace_id?: string } {
  const span = activeSpan();
  return span === null ? noTrace : { trace_id: span.traceId };
}
