const failuresToPause = 3;
const firstPauseMs = 15_000;
const longestPauseMs = 60_000;

/**
 * The circuit breaker of a worker. Three consecutive failures of jobs, or one failure to claim jobs, pause the worker
 * for 15 s. Each further failure after a pause starts one of twice the length, up to a minute. The series ends with the
 * success of a job, or of a claim if a failed claim caused the last pause.
 */
export function createWorkerBreaker(now: () => Date) {
  let failures = 0;
  /** The length of the last pause; 0 before the first one of a series. */
  let pauseMs = 0;
  let until: Date | null = null;
  /** Null when no series of failures has led to a pause. It stays after the pause, until a success. */
  let reason: string | null = null;
  /** The last pause came from a failed claim, so that the next successful claim ends the series. */
  let hasClaimFailed = false;

  function pause(why: string): void {
    pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, pauseMs * 2);
    until = new Date(now().getTime() + pauseMs);
    reason = why;
  }

  /** Ends the series of failures. Returns whether it had led to a pause. */
  function endSeries(): boolean {
    const hadPaused = reason !== null;
    failures = 0;
    pauseMs = 0;
    until = null;
    reason = null;
    hasClaimFailed = false;
    return hadPaused;
  }

  return {
    /**
     * A job succeeded. Returns true when this ends a series with a pause. A success during a pause is ignored, because
     * its job started before the pause.
     */
    succeeded(): boolean {
      return isPaused() ? false : endSeries();
    },

    /** A claim succeeded, with or without jobs. Returns true when the previous claim had failed. */
    claimSucceeded: (): boolean => (hasClaimFailed ? endSeries() : false),

    /** A job failed. Returns true when this starts the first pause of a series. */
    failed(why: string): boolean {
      failures += 1;
      // A job that was already running when the pause started may fail, too. This does not lengthen the pause.
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

    /** Why the last pause started and when it ends, possibly in the past; null once a success has ended the series. */
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
