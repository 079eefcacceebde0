import type { Outcome } from './judge-on-machine.ts';

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

/** What `bareCpuMs` is on the machine for which limits in ms are set: two cores of a server of 2024. */
const usualBareMs = 6;
const bareText = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');

/** The CPU time of a fixed piece of work on texts, with which a slow machine is told from slow code. */
export function bareCpuMs(): number {
  return minCpuMs(() => {
    const counts = new Map<string, number>();
    for (const word of bareText.normalize('NFKC').toUpperCase().split(' '))
      counts.set(word, (counts.get(word) ?? 0) + word.length);
  });
}

/** Whether CPU time keeps a limit in ms. Only a slow machine excuses more. @param bareMs of the same run */
export function judgeCpu(ms: number, limitMs: number, bareMs: number): Outcome {
  if (ms <= limitMs) return 'met';
  return ms <= (limitMs * bareMs) / usualBareMs ? 'not judged' : 'missed';
}

/** The growth of an O(n log n) algorithm, for comparing times at different sizes. */
export function nLogN(size: number): number {
  return size * Math.log2(size);
}
