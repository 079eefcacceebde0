import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadFile } from '../k6/main.ts';
import { startK6 } from './k6-process.ts';
import { type ReadProcess, readLocalProcess, sampleProcesses } from './process-samples.ts';
import type { Recording } from './series.ts';

/** The parts of k6's summary that are read. */
export type K6Summary = {
  metrics: Record<
    string,
    {
      values: Record<string, number>;
      /** by the text of the threshold */
      thresholds?: Record<string, { ok: boolean }>;
    }
  >;
};

export type Measurement = Recording & {
  summary: K6Summary;
  /** by the user, before its end */
  isStopped: boolean;
  /** what k6 printed about failures */
  errors: string;
};

const sampleEveryMs = 1000;
/** How the load script reports a call that k6 itself interrupts when a threshold ends the run. */
const interrupted = 'no answer (1000)';

/**
 * Runs k6 with a load, and samples the processes meanwhile, k6 included.
 * @throws Error when a process cannot be read, or k6 itself fails; the reason of the signal when it is aborted before the load begins
 */
export async function measure(
  load: LoadFile,
  processes: ReadonlyMap<string, ReadProcess>,
  signal: AbortSignal,
): Promise<Measurement> {
  signal.throwIfAborted();
  for (const [name, read] of processes)
    if ((await read()) === null) throw new Error(`CPU and memory of ${name} cannot be read.`);
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-load-'));
  try {
    const [loadFile, summaryFile] = [join(folder, 'load.json'), join(folder, 'summary.json')];
    writeFileSync(loadFile, JSON.stringify(load), { mode: 0o600 });
    const calls: Measurement['calls'][number][] = [];
    const failures: Measurement['failures'][number][] = [];
    const startedAt = Date.now();
    const { child, ended } = startK6({
      loadFile,
      summaryFile,
      onCall: (call) => calls.push(call),
      onFailure: (failure) => failures.push(failure),
    });
    const stopEarly = () => child.kill('SIGINT');
    signal.addEventListener('abort', stopEarly);
    const sampling = sampleProcesses(
      new Map([
        ...processes,
        ['k6', readLocalProcess(child.pid as number)],
        // This process, which reads what k6 prints.
        ['runner', readLocalProcess(process.pid)],
      ]),
      sampleEveryMs,
    );
    const { code, errors } = await ended;
    await sampling.stop();
    signal.removeEventListener('abort', stopEarly);
    // 99: a threshold was crossed. 105: stopped by a signal.
    if (code !== 0 && code !== 99 && code !== 105) throw new Error(`k6 ended with ${code}:\n${errors}`);
    const summary = JSON.parse(readFileSync(summaryFile, 'utf8')) as K6Summary;
    // The first call begins when k6 is ready.
    const begins = calls.map(({ at, ms }) => at - ms);
    const firstAt = begins.reduce((least, one) => Math.min(least, one), Date.now());
    const endedAt = calls.reduce((most, { at }) => Math.max(most, at), startedAt);
    const isStopped = signal.aborted;
    const { samples } = sampling;
    return {
      startedAt: firstAt,
      endedAt,
      calls,
      failures,
      processes: samples,
      summary,
      isStopped,
      errors: load.profile === 'breakpoint' ? withoutInterrupted(errors) : errors,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutInterrupted(errors: string): string {
  return errors
    .split('\n')
    .filter((line) => !line.includes(interrupted))
    .join('\n');
}
