import { createLogger } from '../src/log/logger.ts';

/** A logger that stores its lines for tests. */
export function createRecordingLogger() {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line) => lines.push(line) },
  });
  return { logger, lines };
}
