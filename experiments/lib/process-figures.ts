import { readdirSync, readFileSync } from 'node:fs';

/** The number of open file descriptors of a process. Linux only. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The resident memory of a process, in MiB: all of it, or without the pages of files, such as those of a database. Linux only. */
export function residentMiB(pid: number, part: 'VmRSS' | 'RssAnon' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = status.match(new RegExp(`${part}:\\s+(\\d+)`))?.[1];
  return Math.round(Number(kibibytes) / 1024);
}

/**
 * The longest time for which the event loop of a process was held since the last call, in ms, from its metrics.
 * @param metricsUrl the address of its METRICS_PORT
 */
export async function readLoopLagMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const seconds = text.match(/^nodejs_eventloop_lag_max_seconds (\S+)/m)?.[1];
  return Math.round(Number(seconds) * 1000);
}

export type Usage = { cpuMs: number; wakeUps: number };

/** Of all threads of a process since their start. Linux only. */
export function readUsage(pid: number): Usage {
  const usage = { cpuMs: 0, wakeUps: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    usage.cpuMs += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    const switches = readFileSync(`${folder}/status`, 'utf8').match(
      /^voluntary_ctxt_switches:\s+(\d+)/m,
    )?.[1];
    usage.wakeUps += Number(switches);
  }
  return usage;
}
