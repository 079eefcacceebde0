/** How an app has moved since the day before. */
export type Movement = {
  /** places won, lost ones negative; 0 also when that is not known, and for a new entry */
  delta: number;
  /** It was not in the snapshot of the day before, however deep that was. */
  isNew: boolean;
};

/**
 * How the apps of a chart have moved, in rank order. `before` are those of the day before in rank order, null without a
 * snapshot of that day: then nothing is known. Of an empty one everything is new.
 */
export function toMovements(appIds: readonly string[], before: readonly string[] | null): Movement[] {
  const ranksBefore = new Map((before ?? []).map((id, index) => [id, index + 1]));
  return appIds.map((id, index) => {
    const rankBefore = ranksBefore.get(id);
    if (rankBefore === undefined) return { delta: 0, isNew: before !== null };
    return { delta: rankBefore - (index + 1), isNew: false };
  });
}
