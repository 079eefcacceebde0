import type { ProcessUse, RunResults } from './results.ts';

/** A run for a terminal. */
export function formatResults(results: RunResults): string {
  const { times, storedTimes, rate, ratios, bare, knee, recoverySeconds, profile } = results;
  const isLong = Object.values(results.processes).some(({ memoryMiB }) => memoryMiB.perHour !== null);
  const lines = [
    `${times.calls} calls in ${results.seconds} s, ${rate} a second; ms p50 ${times.p50}, p95 ${times.p95}, p99 ${times.p99}, most ${times.max}`,
    `of calls that read stored data: p50 ${storedTimes.p50}, p95 ${storedTimes.p95}, p99 ${storedTimes.p99}`,
    `failures: ${describeCounts(results.failures)}`,
    '',
    `${'process'.padEnd(16)}${['cores', 'ms/call', 'calls/core', 'MiB', 'max', ...(isLong ? ['MiB/h'] : [])].map((head) => head.padStart(11)).join('')}`,
    ...Object.entries(results.processes).map(([name, use]) => formatProcess(name, use)),
    '',
  ];
  if (bare !== null && ratios !== null) {
    const { saturated } = bare;
    const cpu = (ratio: number | null) => (ratio === null ? 'unknown' : `x${ratio}`);
    lines.push(
      `bare Express at the same rate, ${bare.rate} a second: ${bare.msPerCall} ms of CPU a call, p50 ${bare.times.p50}, p95 ${bare.times.p95}`,
      `bare Express saturated, ${saturated.rate} a second with ${saturated.cores} of a core: ${saturated.msPerCall} ms of CPU a call`,
      `CPU of a call: ${cpu(ratios.cpu)} at the same rate, ${cpu(ratios.cpuOfSaturated)} of a saturated one; p50 x${ratios.p50}, p95 x${ratios.p95}`,
    );
  }
  if (profile === 'breakpoint')
    lines.push(knee === null ? 'knee: not reached' : `knee: ${knee} calls a second`);
  if (profile === 'spike')
    lines.push(
      `back after the spike: ${recoverySeconds === null ? 'not within this run' : `after ${recoverySeconds} s`}`,
    );
  return [
    ...lines,
    `machine: ${results.machine}`,
    ...Object.entries(results.goals).map(([text, isMet]) => `  ${isMet ? 'ok  ' : 'FAIL'} ${text}`),
  ].join('\n');
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).map(([code, count]) => `${count} ${code}`);
  return entries.length === 0 ? 'none' : entries.join(', ');
}

function formatProcess(name: string, use: ProcessUse): string {
  const { cores, msPerCall, callsPerCore, memoryMiB } = use;
  const cells = [cores, msPerCall, callsPerCore, memoryMiB.last, memoryMiB.most];
  if (memoryMiB.perHour !== null) cells.push(memoryMiB.perHour);
  return `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(11)).join('')}`;
}
