/** So many failures in a row mean that what is called is down. */
const failuresThatStop = 3;

/**
 * Whether calls failed in a row, in the order in which they were begun: of several that are under way the ones that
 * fail come back first.
 */
export function createFailureRow() {
  const failed = new Set<number>();
  let turns = 0;
  let isLong = false;
  return {
    isLong: () => isLong,
    nextTurn: () => turns++,
    add(turn: number): void {
      failed.add(turn);
      let first = turn;
      while (failed.has(first - 1)) first--;
      let next = turn + 1;
      while (failed.has(next)) next++;
      if (next - first >= failuresThatStop) isLong = true;
    },
  };
}
