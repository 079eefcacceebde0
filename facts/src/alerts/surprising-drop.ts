/** A drop of more places may be a fault of the store. */
const surprisingPlaces = 20;

/**
 * Whether a drop is so large that it should be read twice: more than 20 places, or out of the page. Ranks are 1 to 100; null: not on
 * the page.
 */
export function isSurprisingDrop({
  before,
  after,
}: {
  before: number | null;
  after: number | null;
}): boolean {
  if (before === null) return false;
  return after === null || after - before > surprisingPlaces;
}
