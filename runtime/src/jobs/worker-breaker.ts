const failuresToPause = 3;
const firstPauseMs = 15_000;
const longestPauseMs = 60_000;

/**
 * The circuit breaker of a worker. Three consecutive failures pause the worker for 15 s. Each further failure doubles
 * the pause, up to a minute, until a job succeeds.
 */
export function createWorkerBreaker(now: () => Date) {
  let failures = 0;
  let pauseMs = 0;
  let until: Date | null = null;
  let reason: string | null = null;
  /** The last claim failed: the next successful claim ends the pause. */
  let hasClaimFailed = false;

  function pause(why: string): void {
    pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * 2);
    until = new Date(now().getTime() + pauseMs);
    reason = why;
  }

  function end(): boolean {
    const wasDown = reason !== null;
    failures = 0;
    pauseMs = 0;
    until = null;
    reason = null;
    hasClaimFailed = false;
    return wasDown;
  }

  return {
    /**
     * A job succeeded. Returns true when this ends a series of failures. A success during a pause is ignored, because
     * its job started before the pause.
     */
    succeeded(): boolean {
      return isPaused() ? false : end();
    },

    /** A claim succeeded, with or without jobs. Returns true when the previous claim had failed. */
    claimSucceeded: (): boolean => (hasClaimFailed ? end() : false),

    /** A job failed. Returns true when this starts the first pause of a series. */
    failed(why: string): boolean {
      failures += 1;
      // A job that was already running when the pause started may fail, too.
      if (failures < failuresToPause || isPaused()) return false;
      const isFirst = reason === null;
      pause(why);
      hasClaimFailed = false;
      return isFirst;
    },

    /**
     * A claim failed, which pauses the worker immediately. Returns true when this starts the first pause of a series.
     */
    claimFailed(why: string): boolean {
      failures = Math.max(failures, failuresToPause);
      const isFirst = reason === null;
      pause(why);
      hasClaimFailed = true;
      return isFirst;
    },

    isPaused,

    /** Why jobs fail, until the next success. `until` is the time of the next attempt. */
    pauseReason: (): { until: Date; reason: string } | null =>
      until !== null && reason !== null ? { until, reason } : null,
  };

  function isPaused(): boolean {
    if (until === null) return false;
    const ms = until.getTime() - now().getTime();
    // A clock that was set back must not lengthen the pause.
    return ms > 0 && ms <= pauseMs;
  }
}
