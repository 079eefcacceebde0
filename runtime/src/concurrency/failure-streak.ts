/** This many consecutive failures mean that the called service is down. */
const failuresToTrip = 3;

/**
 * Trips after consecutive failures, in the order in which the calls started. The order of the answers does not count:
 * of several concurrent calls, the failing ones return first.
 */
export function createFailureStreak() {
  const failed = new Set<number>();
  let attempts = 0;
  let isTripped = false;
  return {
    isTripped: () => isTripped,
    /** Take a number when a call starts. */
    nextAttemptNumber: () => attempts++,
    add(attemptNumber: number): void {
      failed.add(attemptNumber);
      let first = attemptNumber;
      while (failed.has(first - 1)) first--;
      let next = attemptNumber + 1;
      while (failed.has(next)) next++;
      if (next - first >= failuresToTrip) isTripped = true;
    },
  };
}
