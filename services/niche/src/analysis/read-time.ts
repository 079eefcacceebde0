/** Longer analyses would make others wait too long. */
const maxReadMs = 180_000;
/** In less time too few terms are read to tell niches apart, whatever the caller's deadline. */
const minReadMs = 60_000;
/** For finishing open reads, clustering, saving and replying. */
const reservedMs = 15_000;

/**
 * How long an analysis may read from its start, in ms: 180 s, or less so that its first caller still gets the reply,
 * but at least 60 s.
 */
export function readTimeMs(callerMsLeft: number): number {
  return Math.max(minReadMs, Math.min(maxReadMs, callerMsLeft - reservedMs));
}
