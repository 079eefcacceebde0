import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';

/** Of two readings of one term the newer parts; a page and its chart stay together. On a tie those of `read`. */
export function newerReading(kept: KeywordReading | undefined, read: KeywordReading): KeywordReading {
  if (!kept) return read;
  const ofPage = isNewer(kept.page, read.page) ? kept : read;
  return {
    page: ofPage.page,
    chart: ofPage.chart,
    suggestion: isNewer(kept.suggestion, read.suggestion) ? kept.suggestion : read.suggestion,
  };
}

function isNewer(one: { read_at: Date } | null, other: { read_at: Date } | null): boolean {
  return one !== null && (other === null || one.read_at > other.read_at);
}
