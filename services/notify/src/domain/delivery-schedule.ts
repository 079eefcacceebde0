const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** From a failed try to the next one; after the last of them a delivery has failed. About 42 hours together. */
const delaysMs = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  24 * hourMs,
];

const longestFailureMs = 5 * 24 * hourMs;

/** How long an alert waits for others of its application, unless its channel is instant. */
export const batchMs = hourMs;

/** When a delivery is tried again after `tries` failed tries, 1 or more; null: no more. */
export function nextTryAt(tries: number, failedAt: Date): Date | null {
  const delay = delaysMs[tries - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}

/** Whether a channel has failed for so long that it is turned off. */
export function hasFailedForLong(failingSince: Date, at: Date): boolean {
  return at.getTime() - failingSince.getTime() >= longestFailureMs;
}
