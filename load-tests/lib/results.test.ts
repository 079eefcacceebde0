import type { ProfileName } from '../k6/profiles.ts';
import type { Measurement } from './measure.ts';
import { toResults } from './results.ts';

test('CPU is compared without that of the load generator, at the same rate and saturated; a run without calls misses its goals', () => {
  const run = (cpu: Record<string, number>): Measurement => ({
    startedAt: 0,
    endedAt: 20_000,
    calls: Array.from({ length: 200 }, (_, index) => ({
      at: 100 * index,
      ms: 10,
      status: 200,
      route: 'GET /x',
    })),
    failures: [],
    processes: [0, 5000, 10_000, 15_000, 20_000].map((at) => ({
      at,
      states: new Map(
        Object.entries(cpu).map(([name, cpuSeconds]) => [
          name,
          { cpuSeconds: (cpuSeconds * at) / 10_000, residentMiB: 100 },
        ]),
      ),
    })),
    summary: {
      metrics: {
        failed: { values: { passes: 0, fails: 100 }, thresholds: { 'rate<0.001': { ok: true } } },
        dropped_iterations: { values: { count: 0 }, thresholds: { 'count==0': { ok: true } } },
        http_req_duration: { values: { count: 0 }, thresholds: { 'p(95)<50': { ok: true } } },
      },
    },
    isStopped: false,
    errors: '',
  });
  const facts = { profile: 'average' as const, system: 'x', capacity: 20, callsPerVisit: 12, accounts: 10 };
  const bare = {
    atRate: run({ bare: 0.5, k6: 9 }),
    saturated: { calls: 9500, seconds: 10, cpuSeconds: 9.5 },
  };
  const results = toResults(facts, run({ gateway: 2, scoring: 1, k6: 9 }), bare);
  expect(results.bare).toMatchObject({ msPerCall: 5, saturated: { rate: 950, cores: 0.95, msPerCall: 1 } });
  expect(results.ratios).toMatchObject({ cpu: 6, cpuOfSaturated: 30, p50: 1 });
  expect(results.processes.gateway).toMatchObject({ cores: 0.2, msPerCall: 20, callsPerCore: 50 });
  expect(results.goals).toEqual({
    'it ran to its end': true,
    'some calls were made': true,
    'failed: rate<0.001': true,
    'dropped_iterations: count==0': true,
    'http_req_duration: p(95)<50': false,
    'gateway: one process from the beginning to the end': true,
    'scoring: one process from the beginning to the end': true,
    'p99 of stored data is at most 10 times its p50': true,
  });
  expect(toResults(facts, { ...run({}), isStopped: true }, null).goals['it ran to its end']).toBe(false);
  const breakpoint = { ...facts, profile: 'breakpoint' as const };
  expect(toResults(breakpoint, run({}), null).goals).not.toHaveProperty('failed: rate<0.001');
  const ofNone = { cpu: null, cpuOfSaturated: null, p50: 1 };
  expect(toResults(facts, run({ k6: 9 }), bare).ratios).toMatchObject(ofNone);
  expect(toResults(facts, { ...run({}), calls: [] }, null).goals['some calls were made']).toBe(false);
});

test('the p99 may be at most ten times the p50 at a steady rate; at a rising rate there is no such goal', () => {
  const facts = { profile: 'soak' as const, system: 'x', capacity: 20, callsPerVisit: 12, accounts: 10 };
  const goalOf = (slowMs: number, profile: ProfileName) =>
    toResults(
      { ...facts, profile },
      {
        startedAt: 0,
        endedAt: 10_000,
        calls: Array.from({ length: 50 }, (_, index) => ({
          at: 100 * index,
          ms: index < 2 ? slowMs : 10,
          status: 200,
          route: 'GET /x',
        })),
        failures: [],
        processes: toSamples('gateway', [0, 1, 2, 3]),
        summary: { metrics: {} },
        isStopped: false,
        errors: '',
      },
      null,
    ).goals['p99 of stored data is at most 10 times its p50'];
  expect(goalOf(100, 'soak')).toBe(true);
  expect(goalOf(150, 'soak')).toBe(false);
  expect(goalOf(150, 'stress')).toBeUndefined();
});

/** Four samples of a process; null when it does not run. */
function toSamples(name: string, cpuSeconds: (number | null)[]): Measurement['processes'] {
  return cpuSeconds.map((seconds, index) => ({
    at: 1000 * index,
    states: new Map(seconds === null ? [] : [[name, { cpuSeconds: seconds, residentMiB: 100 }]]),
  }));
}

const facts = { profile: 'limits' as const, system: 'x', capacity: 20, callsPerVisit: null, accounts: 8 };
const idle: Measurement = {
  startedAt: 0,
  endedAt: 4000,
  calls: [],
  failures: [],
  processes: [],
  summary: { metrics: {} },
  isStopped: false,
  errors: '',
};

test.each([
  ['ended', [1, 2, null, null], false],
  ['was restarted', [1, 2, 0.5, 3], false],
  ['could not be read once', [1, null, 2, 3], true],
])('a process that %s', (_, cpuSeconds, isMet) => {
  const { goals } = toResults(facts, { ...idle, processes: toSamples('niche', cpuSeconds) }, null);
  expect(goals['niche: one process from the beginning to the end']).toBe(isMet);
});

test('a window that admits too many calls misses its goal', () => {
  const admitted = (times: number[]) =>
    times.map((at) => ({ at, ms: 10, status: 200, route: 'at the edge of a second' }));
  const goalsOf = (times: number[]) => toResults(facts, { ...idle, calls: admitted(times) }, null).goals;
  expect(goalsOf([100, 200, 300, 400, 500, 1200])['at most 5 in any second (5)']).toBe(true);
  // As a window that begins anew each second would.
  expect(goalsOf([600, 700, 800, 900, 950, 1010, 1100])['at most 5 in any second (7)']).toBe(false);
  expect(goalsOf([])['at most 5 in any second (0)']).toBe(false);
});
