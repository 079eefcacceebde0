import { readdirSync, readFileSync } from 'node:fs';

/** The number of open file descriptors of a process. Linux only. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The resident memory of a process, in MiB. Linux only. */
export function residentMiB(pid: number): number {
  const kibibytes = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1];
  return Math.round(Number(kibibytes) / 1024);
}
