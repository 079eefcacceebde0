const rounds = 7;

/**
 * The CPU time of `work` in this process, in ms. Takes the minimum of seven rounds, because the first rounds warm up and
 * other processes disturb some.
 */
export function minCpuMs(work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** The growth of an O(n log n) algorithm, for comparing times at different sizes. */
export function nLogN(size: number): number {
  return size * Math.log2(size);
}
