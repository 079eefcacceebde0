/** Longer than that others would have to wait too long for their turn. */
const longestMs = 180_000;
/** In less too little is read to tell niches by, whoever waits for it. */
const shortestMs = 60_000;
/** To finish what is being read, cluster, keep and answer. */
const spareMs = 15_000;

/**
 * How long an analysis reads whose turn has come, in ms: 180 s, or as much of what is left of its first caller's time as
 * lets him have the answer, but 60 s at least.
 */
export function readingMs(callerMsLeft: number): number {
  return Math.max(shortestMs, Math.min(longestMs, callerMsLeft - spareMs));
}
