/** This many failures in a row mean that the called service is down. */
const failuresToTrip = 3;

/**
 * Trips once calls have failed in a row, in the order in which they were started: of several concurrent calls the
 * failing ones return first, so the order of the answers says nothing.
 */
export function createFailureStreak() {
  const failed = new Set<number>();
  let attempts = 0;
  let isTripped = false;
  return {
    isTripped: () => isTripped,
    /** To be taken when a call starts. */
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
