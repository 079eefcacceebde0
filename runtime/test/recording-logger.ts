import { createLogger } from '../src/logger.ts';

/** A log that keeps its lines, for tests that look at what was logged. */
export function createRecordingLogger() {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line) => lines.push(line) },
  });
  return { logger, lines };
}
