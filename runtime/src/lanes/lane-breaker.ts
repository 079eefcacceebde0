const failuresToPause = 3;
const firstPauseMs = 15_000;
const longestPauseMs = 60_000;

/**
 * Whether a store (or the database) is worth asking: after three failures in a row it is left alone for 15 s, and after
 * each one more that follows for twice as long, a minute at most, until something could be read again.
 */
export function createLaneBreaker(now: () => Date) {
  let failures = 0;
  let pauseMs = 0;
  let until: Date | null = null;
  let reason: string | null = null;
  /** It could not be asked at all, so an answer of any kind ends the trouble. */
  let isStopped = false;

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
    isStopped = false;
    return wasDown;
  }

  return {
    /** Something was read; true when nothing could be read before. What still comes during a pause proves nothing. */
    succeeded(): boolean {
      return isPaused() ? false : end();
    },

    /** It could be asked, whether or not there was something to read; true when that was not possible before. */
    answered: (): boolean => (isStopped ? end() : false),

    /** True when a pause begins and none came before it. */
    failed(why: string): boolean {
      failures += 1;
      // What was being read when the pause began may fail as well: that is no news.
      if (failures < failuresToPause || isPaused()) return false;
      const isFirst = reason === null;
      pause(why);
      isStopped = false;
      return isFirst;
    },

    /** It cannot be asked at all; true when none came before it. */
    stopped(why: string): boolean {
      failures = Math.max(failures, failuresToPause);
      const isFirst = reason === null;
      pause(why);
      isStopped = true;
      return isFirst;
    },

    isPaused,

    /** Since when nothing could be read and why: until the next success. `until` is when it is tried again. */
    trouble: (): { until: Date; reason: string } | null =>
      until !== null && reason !== null ? { until, reason } : null,
  };

  function isPaused(): boolean {
    if (until === null) return false;
    const ms = until.getTime() - now().getTime();
    // A clock that was set back must not make the pause longer.
    return ms > 0 && ms <= pauseMs;
  }
}
