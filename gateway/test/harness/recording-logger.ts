import { createLogger } from '@shelfwise/runtime/log/logger';

/** A logger that records its lines. */
export function createRecordingLogger() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ name: 'test', level: 'debug', destination }), lines };
}
