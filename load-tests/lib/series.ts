import { quantile } from '../../experiments/lib/quantile.ts';
import { isSuccess } from '../k6/journey.ts';
import type { CallSample, FailureSample } from './k6-process.ts';
import type { ProcessSample } from './process-samples.ts';

/** What happened in a part of a run. Times are those of calls that were a success, in ms; null without such calls. */
export type Bucket = {
  /** since the beginning of the run, at the bucket's beginning */
  second: number;
  /** calls that were a success, a second */
  rate: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  /** calls that were none, a second, by code */
  failures: Readonly<Record<string, number>>;
  /** busy cores, by process */
  cores: Readonly<Record<string, number>>;
  /** resident MiB, by process */
  memory: Readonly<Record<string, number>>;
};

/** What k6 and the processes have reported. */
export type Recording = {
  /** ms since 1970 */
  startedAt: number;
  endedAt: number;
  calls: readonly CallSample[];
  failures: readonly FailureSample[];
  processes: readonly ProcessSample[];
};

/** Short enough to see a spike, long enough that a run fits into a picture. */
export function bucketSecondsOf({ startedAt, endedAt }: Recording): number {
  return Math.max(2, Math.ceil((endedAt - startedAt) / 1000 / 150));
}

/** The run in equal parts; the last one, which is shorter, is left out unless it is the only one. */
export function toSeries(recording: Recording, bucketSeconds: number): Bucket[] {
  const { startedAt, endedAt } = recording;
  const ms = bucketSeconds * 1000;
  const count = Math.max(1, Math.floor((endedAt - startedAt) / ms));
  return Array.from({ length: count }, (_, index) => {
    const from = startedAt + index * ms;
    return toBucket(recording, { from, to: from + ms });
  });
}

function toBucket(
  { startedAt, ...recording }: Recording,
  { from, to }: { from: number; to: number },
): Bucket {
  const isWithin = ({ at }: { at: number }) => at >= from && at < to;
  const seconds = (to - from) / 1000;
  const times = recording.calls.filter((call) => isWithin(call) && isSuccess(call)).map((call) => call.ms);
  const failures: Record<string, number> = {};
  for (const { code } of recording.failures.filter(isWithin))
    failures[code] = (failures[code] ?? 0) + 1 / seconds;
  const { cores, memory } = readUse(recording.processes, { from, to });
  return {
    second: Math.round((from - startedAt) / 1000),
    rate: times.length / seconds,
    p50: atShare(times, 0.5),
    p95: atShare(times, 0.95),
    p99: atShare(times, 0.99),
    failures,
    cores,
    memory,
  };
}

/** The busy cores of each process between two times, and its memory at the end of them. */
export function readUse(
  samples: readonly ProcessSample[],
  { from, to }: { from: number; to: number },
): Pick<Bucket, 'cores' | 'memory'> {
  const first = samples.findLast(({ at }) => at <= from) ?? samples[0];
  const last = samples.findLast(({ at }) => at <= to) ?? samples.at(-1);
  const cores: Record<string, number> = {};
  const memory: Record<string, number> = {};
  if (first === undefined || last === undefined) return { cores, memory };
  for (const [name, state] of last.states) {
    const before = first.states.get(name);
    memory[name] = state.residentMiB;
    // A process that was restarted counts from zero.
    if (before !== undefined && last.at > first.at && state.cpuSeconds >= before.cpuSeconds)
      cores[name] = (1000 * (state.cpuSeconds - before.cpuSeconds)) / (last.at - first.at);
  }
  return { cores, memory };
}

/** As `quantile`; null without values. */
export function atShare(values: readonly number[], share: number): number | null {
  return values.length === 0 ? null : quantile(values, share);
}

/** How a value changes in an hour: the line with the least squares through points of [seconds, value]. */
export function slopePerHour(points: readonly (readonly [number, number])[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const meanX = meanOf(points.map(([x]) => x));
  const meanY = meanOf(points.map(([, y]) => y));
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return (3600 * above) / below;
}
