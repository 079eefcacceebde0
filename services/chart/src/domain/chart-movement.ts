/** How an app has moved since the day before. */
export type Movement = {
  /** places won, lost ones negative; 0 also when that is not known, and for a new entry */
  delta: number;
  /** It was not in the chart of the day before, which reaches as deep as its rank. */
  isNew: boolean;
};

/**
 * How the apps of a chart have moved, in rank order. `before` are those of the day before in rank order, null without a
 * snapshot of that day: then nothing is known. An app that a shallower snapshot does not show may have stood below it.
 */
export function toMovements(appIds: readonly string[], before: readonly string[] | null): Movement[] {
  const ranksBefore = new Map((before ?? []).map((id, index) => [id, index + 1]));
  return appIds.map((id, index) => {
    const rank = index + 1;
    const rankBefore = ranksBefore.get(id);
    if (rankBefore !== undefined) return { delta: rankBefore - rank, isNew: false };
    return { delta: 0, isNew: before !== null && before.length >= rank };
  });
}
