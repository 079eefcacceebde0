import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/**
 * One JSON line per event. Levels: error = somebody must act, warn = somebody should know, info = what happened,
 * debug = how. Fields that could carry a secret are cut out wherever they appear.
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
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    options.destination,
  );
}
