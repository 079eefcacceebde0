import { formatDuration } from '../commands/lib/snapshot-progress.ts';
import type { ReadingProgress } from './read-terms.ts';

/**
 * Returns a function that formats the successive states of one command, such as
 * `12 of 40 terms read, 1 without a score so far, about 3 min to go`. `nowMs` comes from a clock that never goes back.
 */
export function createCalibrateProgress() {
  let start: { atMs: number; done: number } | null = null;

  return function formatProgress({ done, failed, total, waitsFor }: ReadingProgress, nowMs: number): string {
    start ??= { atMs: nowMs, done };
    const phrases = [`${done} of ${total} terms read`];
    if (failed > 0) phrases.push(`${failed} without a score so far`);
    const readSince = done - start.done;
    const left = total - done;
    if (waitsFor !== null) phrases.push(waitsFor);
    else if (readSince > 0 && left > 0)
      phrases.push(`about ${formatDuration(((nowMs - start.atMs) / readSince / 1000) * left)} to go`);
    return phrases.join(', ');
  };
}
