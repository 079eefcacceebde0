/** How an app has moved since the day before. */
export type Movement = {
  /** ranks gained, negative when ranks were lost; 0 when unknown and for a new entry */
  delta: number;
  /** Whether the app was not in the snapshot of the day before, however short that snapshot was. */
  isNew: boolean;
};

/**
 * How the apps of a chart have moved since the day before, in rank order. Null: that day has no snapshot, and movement
 * is unknown. After an empty snapshot, every app is new.
 */
export function toMovements(appIds: readonly string[], before: readonly string[] | null): Movement[] {
  const ranksBefore = new Map((before ?? []).map((id, index) => [id, index + 1]));
  return appIds.map((id, index) => {
    const rankBefore = ranksBefore.get(id);
    if (rankBefore === undefined) return { delta: 0, isNew: before !== null };
    return { delta: rankBefore - (index + 1), isNew: false };
  });
}
