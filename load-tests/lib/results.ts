import { cpus, totalmem } from 'node:os';
import { mostWithin } from '../../experiments/lib/most-within.ts';
import { isSuccess } from '../k6/journey.ts';
import { edgeRoute, endsRun, isSlowRoute, isSteady, type ProfileName, windowLimits } from '../k6/profiles.ts';
import { findKnee, findRecovery } from './knee-and-recovery.ts';
import type { Measurement } from './measure.ts';
import type { Saturated } from './measure-saturated.ts';
import { atShare, type Bucket, bucketSecondsOf, readUse, slopePerHour, toSeries } from './series.ts';

/** What a run is about. */
export type RunFacts = {
  profile: ProfileName;
  system: string;
  capacity: number;
  callsPerVisit: number | null;
  accounts: number;
};

/** Times of calls that were a success, in ms. */
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
  memoryMiB: {
    first: number;
    last: number;
    most: number;
    /** Null for a run of less than ten minutes. */
    perHour: number | null;
  };
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
  /** The same calls to a bare Express application, when it was measured. */
  bare: {
    /** at the rate of the run */
    rate: number;
    times: Times;
    msPerCall: number;
    /** with the next call always waiting: a process that is mostly idle takes several times the CPU for a call */
    saturated: { rate: number; cores: number; msPerCall: number };
  } | null;
  /** System against bare Express. */
  ratios: {
    /** CPU of a call, both at the same rate. Null when no process of the system is known. */
    cpu: number | null;
    /** CPU of a call, against a saturated bare Express. */
    cpuOfSaturated: number | null;
    /** Both at the same rate. */
    p50: number;
    p95: number;
  } | null;
  /** Only for `breakpoint` (`findKnee`). */
  knee: number | null;
  /** Only for `spike` (`findRecovery`). */
  recoverySeconds: number | null;
  goals: Record<string, boolean>;
  series: Bucket[];
};

/** A shorter run says nothing about memory, which grows with the first calls. */
const slopeAfterSeconds = 600;
/** By which share of its memory a process may grow in an hour. */
const mostGrowth = 0.1;
/** How many times the p50 the p99 may be at a steady rate. */
const mostTail = 10;
/** Calls before it, in seconds, warm the comparison up. */
const bareBeginsAt = 5;
/** What makes and measures the load is no part of the system. */
const loadProcesses = ['k6', 'runner'];
/** Engines keep what they hold. */
const engines = ['redis', 'kafka', 'database'];

/** The same calls on a bare Express application: at the rate of the run, and as fast as it answers. */
export type BareRuns = { atRate: Measurement; saturated: Saturated };

/** What a run has shown. */
export function toResults(facts: RunFacts, run: Measurement, bare: BareRuns | null): RunResults {
  const bucketSeconds = bucketSecondsOf(run);
  const series = toSeries(run, bucketSeconds);
  const seconds = (run.endedAt - run.startedAt) / 1000;
  const rate = run.calls.length / seconds;
  const processes = toProcesses(run, rate, series);
  const times = toTimes(run.calls);
  const storedTimes = toTimes(run.calls.filter(({ route }) => !isSlowRoute(route)));
  const knee = facts.profile === 'breakpoint' ? findKnee(run) : null;
  const recoverySeconds = facts.profile === 'spike' ? findRecovery(run) : null;
  const comparison = bare === null ? null : toBare(bare);
  return {
    ...facts,
    startedAt: new Date(run.startedAt).toISOString(),
    seconds: round(seconds),
    machine: describeMachine(),
    rate: round(rate),
    times,
    storedTimes,
    routes: Object.fromEntries(
      [...new Set(run.calls.map(({ route }) => route))]
        .sort()
        .map((route) => [route, toTimes(run.calls.filter((call) => call.route === route))]),
    ),
    failures: countCodes(run),
    processes,
    bare: comparison,
    ratios: comparison && toRatios({ processes, times }, comparison),
    knee: knee && round(knee),
    recoverySeconds,
    goals: {
      ...toGoals(facts.profile, run),
      ...toProcessGoals(run),
      ...toWindowGoals(facts.profile, run),
      ...toLastingGoals({ profile: facts.profile, recoverySeconds, processes }),
      ...toTailGoals(facts.profile, storedTimes),
    },
    series,
  };
}

function toTimes(calls: Measurement['calls']): Times {
  const times = calls.filter(isSuccess).map(({ ms }) => ms);
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
  const isLong = run.endedAt - run.startedAt >= 1000 * slopeAfterSeconds;
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
            perHour: isLong ? Math.round(slopePerHour(later)) : null,
          },
        },
      ];
    }),
  );
}

/** At the rate of the run without its first and its last seconds, in which the rate rises and falls. */
function toBare({ atRate: bare, saturated }: BareRuns): NonNullable<RunResults['bare']> {
  const from = bare.startedAt + 1000 * bareBeginsAt;
  // The last visits only end then.
  const to = bare.endedAt - 1000 * bareBeginsAt;
  const calls = bare.calls.filter(({ at }) => at >= from && at < to);
  const wrong = bare.calls.find(({ status }) => status !== 200);
  if (wrong !== undefined) throw new Error(`bare Express answered ${wrong.route} with ${wrong.status}`);
  const rate = calls.length / ((to - from) / 1000);
  const { cores } = readUse(bare.processes, { from, to });
  return {
    rate: round(rate),
    times: toTimes(calls),
    msPerCall: round((1000 * (cores.bare ?? Number.NaN)) / rate),
    saturated: {
      rate: round(saturated.calls / saturated.seconds),
      cores: round(saturated.cpuSeconds / saturated.seconds),
      msPerCall: round((1000 * saturated.cpuSeconds) / saturated.calls),
    },
  };
}

function toRatios(
  { processes, times }: Pick<RunResults, 'processes' | 'times'>,
  bare: NonNullable<RunResults['bare']>,
): NonNullable<RunResults['ratios']> {
  const own = Object.entries(processes).filter(([name]) => !loadProcesses.includes(name));
  const msPerCall = own.reduce((sum, [, { msPerCall: ms }]) => sum + ms, 0);
  const ratio = (one: number | null, other: number | null) =>
    round((one ?? Number.NaN) / (other ?? Number.NaN));
  return {
    cpu: own.length === 0 ? null : ratio(msPerCall, bare.msPerCall),
    cpuOfSaturated: own.length === 0 ? null : ratio(msPerCall, bare.saturated.msPerCall),
    p50: ratio(times.p50, bare.times.p50),
    p95: ratio(times.p95, bare.times.p95),
  };
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

/** That no process has ended or was restarted. */
function toProcessGoals({ processes: samples }: Measurement): Record<string, boolean> {
  const [first, last] = [samples[0], samples.at(-1)];
  const goals: Record<string, boolean> = {};
  for (const name of first?.states.keys() ?? []) {
    if (loadProcesses.includes(name)) continue;
    const seconds = samples.flatMap(({ states }) => states.get(name)?.cpuSeconds ?? []);
    const isOne = seconds.every((value, index) => index === 0 || value >= (seconds[index - 1] as number));
    goals[`${name}: one process from the beginning to the end`] = isOne && last?.states.has(name) === true;
  }
  return goals;
}

/** That no window of a key admits more calls than its limit. */
function toWindowGoals(profile: ProfileName, { calls }: Measurement): Record<string, boolean> {
  const goals: Record<string, boolean> = {};
  if (profile !== 'limits') return goals;
  for (const edge of ['second', 'minute'] as const) {
    const { ms: windowMs, most } = windowLimits[edge];
    const admitted = calls
      .filter(({ route, status }) => route === edgeRoute(edge) && status === 200)
      .map(({ at, ms }) => ({ sentAt: at - ms, answeredAt: at }));
    const found = mostWithin(admitted, windowMs);
    goals[`at most ${most} in any ${edge} (${found})`] = admitted.length > 0 && found <= most;
  }
  return goals;
}

/** That few calls are far slower than most, at a steady rate. */
function toTailGoals(profile: ProfileName, { p50, p99 }: Times): Record<string, boolean> {
  if (!isSteady(profile)) return {};
  const isMet = p50 !== null && p99 !== null && p99 <= mostTail * p50;
  return { [`p99 of stored data is at most ${mostTail} times its p50`]: isMet };
}

/** That a system is as fast as before after a spike, and does not grow for ever. */
function toLastingGoals({
  profile,
  recoverySeconds,
  processes,
}: Pick<RunResults, 'profile' | 'recoverySeconds' | 'processes'>): Record<string, boolean> {
  const goals: Record<string, boolean> = {};
  if (profile === 'spike') goals['p95 is back within 10 %'] = recoverySeconds !== null;
  if (profile !== 'soak') return goals;
  for (const [name, { memoryMiB }] of Object.entries(processes)) {
    if (memoryMiB.perHour === null || loadProcesses.includes(name) || engines.includes(name)) continue;
    goals[`${name}: memory grows by less than 10 % an hour`] =
      memoryMiB.perHour < mostGrowth * memoryMiB.last;
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
