import { cpus, totalmem } from 'node:os';
import { endsRun, isSlowRoute, type ProfileName, spikeBeginsAt, spikeEndsAt } from '../k6/profiles.ts';
import type { Measurement } from './measure.ts';
import { atShare, type Bucket, bucketSecondsOf, readUse, slopePerHour, toSeries } from './series.ts';

/** What a run is about. */
export type RunFacts = {
  profile: ProfileName;
  system: string;
  capacity: number;
  callsPerVisit: number | null;
  accounts: number;
};

/** Times of calls that were answered with 200, in ms. */
type Times = {
  calls: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
};

export type ProcessUse = {
  /** busy on average */
  cores: number;
  /** CPU time of one call, in ms */
  msPerCall: number;
  /** calls a second that one core of this process can answer, when nothing else limits */
  callsPerCore: number;
  memoryMiB: { first: number; last: number; most: number; perHour: number };
};

export type RunResults = RunFacts & {
  startedAt: string;
  seconds: number;
  machine: string;
  /** all calls, a second */
  rate: number;
  times: Times;
  /** Those of calls that only read stored data, which the goals are about. */
  storedTimes: Times;
  routes: Record<string, Times>;
  failures: Record<string, number>;
  processes: Record<string, ProcessUse>;
  /** The same calls to a bare Express application at half the capacity, when it was measured. */
  bare: { rate: number; times: Times; msPerCall: number } | null;
  /** System against bare Express, both at half of the capacity. */
  ratios: { cpu: number; p50: number; p95: number } | null;
  /** Only for `breakpoint`: the rate up to which answers stayed fast. */
  knee: number | null;
  /** Only for `spike`: seconds from its end until p95 stays within 10 % of that before it; null when it does not. */
  recoverySeconds: number | null;
  goals: Record<string, boolean>;
  series: Bucket[];
};

/** A bucket of the knee is slow when its p95 is this many times that of the beginning, and over this many ms. */
const slowFactor = 4;
const slowMs = 50;
/** The first calls of a run, in seconds, are slower. */
const settledAfter = 20;
/** k6 and the comparison are no part of the system. */
const loadGenerator = 'k6';

/** What a run has shown. @param bare the same calls on a bare Express application */
export function toResults(facts: RunFacts, run: Measurement, bare: Measurement | null): RunResults {
  const bucketSeconds = bucketSecondsOf(run);
  const series = toSeries(run, bucketSeconds);
  const seconds = (run.endedAt - run.startedAt) / 1000;
  const rate = run.calls.length / seconds;
  const processes = toProcesses(run, rate, series);
  const times = toTimes(run.calls);
  const comparison = bare === null ? null : toBare(bare);
  return {
    ...facts,
    startedAt: new Date(run.startedAt).toISOString(),
    seconds: round(seconds),
    machine: describeMachine(),
    rate: round(rate),
    times,
    storedTimes: toTimes(run.calls.filter(({ route }) => !isSlowRoute(route))),
    routes: Object.fromEntries(
      [...new Set(run.calls.map(({ route }) => route))]
        .sort()
        .map((route) => [route, toTimes(run.calls.filter((call) => call.route === route))]),
    ),
    failures: countCodes(run),
    processes,
    bare: comparison,
    ratios: comparison && toRatios({ processes, times }, comparison),
    knee: facts.profile === 'breakpoint' ? findKnee(series) : null,
    recoverySeconds: facts.profile === 'spike' ? findRecovery(series) : null,
    goals: toGoals(facts.profile, run),
    series,
  };
}

function toTimes(calls: Measurement['calls']): Times {
  const times = calls.filter(({ status }) => status === 200).map(({ ms }) => ms);
  const at = (share: number) => roundOrNull(atShare(times, share));
  return { calls: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function countCodes({ failures }: Measurement): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of failures) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function toProcesses(run: Measurement, rate: number, series: readonly Bucket[]): Record<string, ProcessUse> {
  const { cores } = readUse(run.processes, { from: run.startedAt, to: run.endedAt });
  return Object.fromEntries(
    Object.entries(cores).map(([name, busy]) => {
      const points = series.flatMap(({ second, memory }) =>
        memory[name] === undefined ? [] : [[second, memory[name]] as const],
      );
      const values = points.map(([, value]) => value);
      // The beginning, in which caches fill, says little about what comes later.
      const later = points.slice(Math.floor(points.length / 3));
      return [
        name,
        {
          cores: round(busy),
          msPerCall: round((1000 * busy) / rate),
          callsPerCore: round(rate / busy),
          memoryMiB: {
            first: Math.round(values[0] ?? 0),
            last: Math.round(values.at(-1) ?? 0),
            most: Math.round(values.reduce((most, one) => Math.max(most, one), 0)),
            perHour: Math.round(slopePerHour(later)),
          },
        },
      ];
    }),
  );
}

function toBare(bare: Measurement): NonNullable<RunResults['bare']> {
  const rate = bare.calls.length / ((bare.endedAt - bare.startedAt) / 1000);
  const { cores } = readUse(bare.processes, { from: bare.startedAt, to: bare.endedAt });
  return {
    rate: round(rate),
    times: toTimes(bare.calls),
    msPerCall: round((1000 * (cores.bare ?? Number.NaN)) / rate),
  };
}

function toRatios(
  { processes, times }: Pick<RunResults, 'processes' | 'times'>,
  bare: NonNullable<RunResults['bare']>,
): NonNullable<RunResults['ratios']> {
  const own = Object.entries(processes).filter(([name]) => name !== loadGenerator);
  const msPerCall = own.reduce((sum, [, { msPerCall: ms }]) => sum + ms, 0);
  const ratio = (one: number | null, other: number | null) =>
    round((one ?? Number.NaN) / (other ?? Number.NaN));
  return {
    cpu: ratio(msPerCall, bare.msPerCall),
    p50: ratio(times.p50, bare.times.p50),
    p95: ratio(times.p95, bare.times.p95),
  };
}

/** The highest rate of a bucket before the first one that is slow or refuses more than a hundredth. */
export function findKnee(series: readonly Bucket[]): number | null {
  const limit = Math.max(slowMs, slowFactor * usualP95(series.slice(0, 5)));
  const refused = ({ failures }: Bucket) => Object.values(failures).reduce((sum, one) => sum + one, 0);
  const isOver = (bucket: Bucket) =>
    (bucket.p95 ?? Number.POSITIVE_INFINITY) > limit || refused(bucket) > 0.01 * bucket.rate;
  // A single slow bucket may be a pause of the machine.
  const end = series.findIndex((bucket, index) => isOver(bucket) && isOver(series[index + 1] ?? bucket));
  const before = series.slice(0, end === -1 ? series.length : end);
  return before.length === 0 ? null : round(Math.max(...before.map(({ rate }) => rate)));
}

/** How long after the spike p95 is back for good. */
export function findRecovery(series: readonly Bucket[]): number | null {
  const before = series.filter(({ second }) => second >= settledAfter && second < spikeBeginsAt);
  const after = series.filter(({ second }) => second >= spikeEndsAt);
  const slowest = 1.1 * usualP95(before);
  // Three buckets together, because a single one has few calls.
  const back = after.findIndex((_, index) => usualP95(after.slice(index, index + 3)) <= slowest);
  return back === -1 ? null : (after[back]?.second ?? 0) - spikeEndsAt;
}

/** The median of the p95 of these buckets. */
function usualP95(buckets: readonly Bucket[]): number {
  return (
    atShare(
      // Without an answer: slow.
      buckets.map(({ p95 }) => p95 ?? Number.POSITIVE_INFINITY),
      0.5,
    ) ?? 0
  );
}

/**
 * The thresholds of k6, except those that end a run. One whose metric has no sample counts as missed, unless it counts to zero: k6
 * would pass it.
 */
function toGoals(profile: ProfileName, { summary, calls, isStopped }: Measurement): Record<string, boolean> {
  const goals: Record<string, boolean> = {
    'it ran to its end': !isStopped,
    'some calls were made': calls.length > 0,
  };
  for (const [metric, { values, thresholds = {} }] of Object.entries(summary.metrics)) {
    if (endsRun(profile, metric)) continue;
    const { count = 0, passes = 0, fails = 0 } = values;
    const hasSamples = count + passes + fails > 0;
    for (const [text, { ok }] of Object.entries(thresholds))
      goals[`${metric}: ${text}`] = ok && (hasSamples || text === 'count==0');
  }
  return goals;
}

function describeMachine(): string {
  const all = cpus();
  return `${all.length} cores of ${all[0]?.model ?? 'an unknown model'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.version}`;
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
