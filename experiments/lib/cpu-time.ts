const rounds = 7;

/** The processor time of a piece of work in this process, in ms: the least of seven times. */
export function minCpuMs(work: () => void): number {
  const took = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...took);
}
