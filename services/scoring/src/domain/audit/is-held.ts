/** From this rank on, an app holds a term, so that no advice costs it. */
const deepestRank = 30;

/** Whether the app ranks 30 or better for the term. No flag advises to drop it. */
export function isHeld({ rank }: { rank: number | null }): boolean {
  return rank !== null && rank <= deepestRank;
}

/** Whether the app is among the first ten, which most people look at. */
export function isOnFirstPage(rank: number | null): boolean {
  return rank !== null && rank <= 10;
}
