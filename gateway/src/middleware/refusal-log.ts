import type { Logger } from '@shelfwise/runtime/log/logger';

/** The time between two lines of one reason, in ms. */
const everyMs = 60_000;

/**
 * Decides which refusals of a flood get the log line of their request: the first of each reason in a minute. What had none is
 * counted in the line of the next minute's first one. The metrics count all of them.
 */
export function createRefusalLog(deps: {
  logger: Pick<Logger, 'info'>;
  /** never goes back, in ms */
  monotonicMs: () => number;
}) {
  const { logger, monotonicMs } = deps;
  /** There are a few reasons: none quotes a request. */
  const reasons = new Map<string, { sinceMs: number; left: number }>();

  return {
    admits(reason: string): boolean {
      const nowMs = monotonicMs();
      const known = reasons.get(reason);
      if (known && nowMs - known.sinceMs < everyMs) {
        known.left++;
        return false;
      }
      if (known && known.left > 0)
        logger.info({ reason, requests: known.left }, 'refused without a line each');
      reasons.set(reason, { sinceMs: nowMs, left: 0 });
      return true;
    },
  };
}
