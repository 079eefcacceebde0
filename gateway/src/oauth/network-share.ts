/**
 * The rows above a limit when every network gives up its oldest ones first, the network with the most before all others: a network
 * with one row loses it only when there are more networks than the limit. Rows that a person was shown are counted by themselves, and
 * one more of them stays: no flood of others evicts the first, and who opens many keeps no new one out.
 * @param newestFirst `source` or `shown_source`: the network
 */
export function findSurplusByNetwork<
  Row extends { source?: string | undefined; shown_source?: string | undefined },
>(newestFirst: readonly Row[], limit: number): Row[] {
  const counts = new Map<string, number>();
  const orderOf = ({ source, shown_source: shown }: Row): number => {
    const network = shown === undefined ? `new ${source}` : `shown ${shown}`;
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return shown === undefined ? count : count - 1;
  };
  return (
    newestFirst
      .map((row) => ({ row, order: orderOf(row) }))
      // The sort is stable: of one order the newest rows stay.
      .sort((one, other) => one.order - other.order)
      .slice(limit)
      .map(({ row }) => row)
  );
}
