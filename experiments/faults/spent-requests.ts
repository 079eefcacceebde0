/** Of a key in the running month: API requests that were answered with 200, and those that may have been counted. */
type Sum = { certain: number; possible: number };

export type SpentRequests = ReturnType<typeof createSpentRequests>;

/** What keys have spent in the running month (UTC): with each month the product counts anew. */
export function createSpentRequests(now: () => Date) {
  const sums = new Map<string, Sum>();
  const readMonth = () => now().toISOString().slice(0, 7);
  let month = readMonth();

  function sumOf(key: string): Sum {
    const current = readMonth();
    if (current !== month) sums.clear();
    month = current;
    const sum = sums.get(key) ?? { certain: 0, possible: 0 };
    sums.set(key, sum);
    return sum;
  }

  return {
    of: (key: string): Readonly<Sum> => sumOf(key),
    /** Before a call. What it returns is called with the status of the answer. */
    start(key: string, cost: number): (status: number | null) => void {
      const sentIn = readMonth();
      return (status) => {
        const sum = sumOf(key);
        sum.possible += cost;
        // One that was sent in the month before may be counted in either.
        if (status === 200 && sentIn === month) sum.certain += cost;
      };
    },
  };
}
