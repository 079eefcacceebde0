/** A reading that takes no longer did not wait for its turn: there is room for more at once. */
const quickMs = 2000;
/** A reading that takes longer waited for others: more at once would only wait longer, and too long in the end. */
const slowMs = 6000;

/**
 * How many pieces are read at once: as many as the store lets through without a queue, whatever its budget is and
 * however many addresses share it. From one, one more per round of quick readings, one less per round of slow ones,
 * half after a failure; `most` at most.
 */
export function createLaneWidth(most: number) {
  let width = 1;
  return {
    current: () => Math.floor(width),
    took(ms: number): void {
      if (ms <= quickMs) width = Math.min(most, width + 1 / Math.floor(width));
      else if (ms >= slowMs) width = Math.max(1, width - 1 / Math.floor(width));
    },
    failed(): void {
      width = Math.max(1, width / 2);
    },
    narrow(): void {
      width = 1;
    },
  };
}
