/** Longer analyses would make others wait too long. */
const maxReadMs = 180_000;
/** In less time too few terms are read to tell niches apart. */
const minReadMs = 60_000;
/** For finishing open reads, clustering, saving and replying. */
const reservedMs = 15_000;

/** How long an analysis may read from its start, in ms: 60 to 180 s, so that its first caller still gets the reply. */
export function readTimeMs(callerMsLeft: number): number {
  return Math.max(minReadMs, Math.min(maxReadMs, callerMsLeft - reservedMs));
}
