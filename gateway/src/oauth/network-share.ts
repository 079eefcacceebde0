/**
 * The rows above a limit when every network gives up its oldest ones first, the network with the most before all others: a network
 * with one row loses it only when there are more networks than the limit. Rows of no network are the last to go.
 * @param newestFirst `source`: the network
 */
export function findSurplusByNetwork<Row extends { source?: string | undefined }>(
  newestFirst: readonly Row[],
  limit: number,
): Row[] {
  const counts = new Map<string, number>();
  /** 1 for the newest row of a network. */
  const placeOf = (source: string): number => {
    const place = (counts.get(source) ?? 0) + 1;
    counts.set(source, place);
    return place;
  };
  return (
    newestFirst
      .map((row) => ({ row, place: row.source === undefined ? 0 : placeOf(row.source) }))
      // The sort is stable: of one place the newest rows stay.
      .sort((one, other) => one.place - other.place)
      .slice(limit)
      .map(({ row }) => row)
  );
}
