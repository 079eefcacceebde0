import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMiB } from '../../experiments/lib/process-figures.ts';

/** What a process has used by now: CPU time since its start in seconds, resident memory in MiB. */
export type ProcessState = { cpuSeconds: number; residentMiB: number };

/** Reads the state of a process; null when it does not run. */
export type ReadProcess = () => Promise<ProcessState | null>;

/** Linux counts CPU time in hundredths of a second for programs. */
const ticksPerSecond = 100;
const mebibyte = 2 ** 20;

/** A process of this machine. Linux only. */
export function readLocalProcess(pid: number): ReadProcess {
  return async () => {
    try {
      // The name, which may have spaces, ends with the last bracket.
      const cells = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const [user, system] = [cells[11], cells[12]].map(Number) as [number, number];
      return toState((user + system) / ticksPerSecond, residentMiB(pid));
    } catch {
      return null;
    }
  };
}

/** A process with a page of metrics that has both, such as `http://10.0.0.7:9464/metrics`. */
export function readRemoteProcess(url: string): ReadProcess {
  return async () => {
    try {
      const text = await (await fetch(url, { signal: AbortSignal.timeout(2000) })).text();
      const readValue = (name: string) => Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1]);
      return toState(
        readValue('process_cpu_seconds_total'),
        readValue('process_resident_memory_bytes') / mebibyte,
      );
    } catch {
      return null;
    }
  };
}

/** Null for a process that has ended, or a page without the values. */
function toState(cpuSeconds: number, residentMiB: number): ProcessState | null {
  return Number.isNaN(cpuSeconds + residentMiB) ? null : { cpuSeconds, residentMiB };
}

/** The states of all processes at one time; `at` in ms since 1970. */
export type ProcessSample = { at: number; states: Map<string, ProcessState> };

/** Reads all processes every so often until it is stopped. */
export function sampleProcesses(processes: ReadonlyMap<string, ReadProcess>, everyMs: number) {
  const samples: ProcessSample[] = [];
  const stopping = new AbortController();
  const sample = async () => {
    const read = [...processes].map(async ([name, readOne]) => [name, await readOne()] as const);
    const states = (await Promise.all(read)).filter((entry) => entry[1] !== null);
    samples.push({ at: Date.now(), states: new Map(states as [string, ProcessState][]) });
  };
  // One after another, because a page of metrics may take long.
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      await sample();
      const pauseMs = Math.max(0, everyMs - (Date.now() - startedAt));
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    samples,
    async stop(): Promise<void> {
      stopping.abort();
      await sampling;
      await sample();
    },
  };
}
