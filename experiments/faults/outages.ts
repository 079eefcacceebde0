/** A call as its client sees it; times in ms on one clock. */
export type SeenCall = { sentAt: number; ms: number; isGood: boolean };

/**
 * The longest time for which a client had no answer, in ms: from the sending of a call that fails to the first good answer to a
 * later call, or as long as one call took, whichever is longer. A client whose last call failed waits until `endAt`.
 */
export function longestOutage(calls: readonly SeenCall[], endAt: number): number {
  const inOrder = [...calls].sort((one, other) => one.sentAt - other.sentAt);
  let longest = 0;
  let failingSince: number | null = null;
  for (const { sentAt, ms, isGood } of inOrder) {
    longest = Math.max(longest, ms);
    if (!isGood) failingSince ??= sentAt;
    else if (failingSince !== null) {
      longest = Math.max(longest, sentAt + ms - failingSince);
      failingSince = null;
    }
  }
  return failingSince === null ? longest : Math.max(longest, endAt - failingSince);
}

/** How long after `liftedAt` the last bad call ended, in ms; 0 when all was good before. */
export function recoveryTime(calls: readonly SeenCall[], liftedAt: number, slowMs: number): number {
  const bad = calls.filter(({ ms, isGood }) => !isGood || ms > slowMs);
  return Math.max(0, ...bad.map(({ sentAt, ms }) => sentAt + ms - liftedAt));
}
