import type { Measurement } from './measure.ts';
import { findKnee, findRecovery, toResults } from './results.ts';
import type { Bucket } from './series.ts';

const bucket = (second: number, rate: number, p95: number, failures = {}): Bucket => ({
  second,
  rate,
  p50: p95 / 2,
  p95,
  p99: p95 * 2,
  failures,
  cores: {},
  memory: {},
});

describe('the knee is the highest rate before answers', () => {
  const fast = Array.from({ length: 10 }, (_, index) => bucket(4 * index, 20 + 10 * index, 20));

  test('take long', () => {
    expect(findKnee([...fast, bucket(40, 120, 90), bucket(44, 130, 400)])).toBe(110);
  });
  test('are refused', () => {
    const refused = { SERVICE_UNAVAILABLE: 3 };
    expect(findKnee([...fast, bucket(40, 120, 20, refused), bucket(44, 130, 20, refused)])).toBe(110);
  });
  test('but one slow part alone is none', () => {
    expect(findKnee([...fast, bucket(40, 120, 90), bucket(44, 130, 20)])).toBe(130);
  });
});

describe('the recovery after a spike is the time until answers are as fast as before', () => {
  const before = Array.from({ length: 60 }, (_, index) => bucket(2 * index, 10, 20));
  const spike = Array.from({ length: 20 }, (_, index) => bucket(120 + 2 * index, 100, 900));
  const after = (slowFor: number) =>
    Array.from({ length: 80 }, (_, index) => bucket(160 + 2 * index, 10, 2 * index < slowFor ? 200 : 21));

  test.each([0, 10, 60])('%d s', (slowFor) => {
    // Three parts together decide: the one before the last slow one counts as back.
    const seconds = findRecovery([...before, ...spike, ...after(slowFor)]) ?? Number.NaN;
    expect(Math.abs(seconds - slowFor)).toBeLessThanOrEqual(2);
  });
  test('never', () => {
    expect(findRecovery([...before, ...spike, ...after(1000)])).toBeNull();
  });
});

test('CPU is compared without that of the load generator, and a run without calls misses its goals', () => {
  const run = (cpu: Record<string, number>): Measurement => ({
    startedAt: 0,
    endedAt: 10_000,
    calls: Array.from({ length: 100 }, (_, index) => ({
      at: 100 * index,
      ms: 10,
      status: 200,
      route: 'GET /x',
    })),
    failures: [],
    processes: [0, 10_000].map((at) => ({
      at,
      states: new Map(
        Object.entries(cpu).map(([name, cpuSeconds]) => [
          name,
          { cpuSeconds: at === 0 ? 0 : cpuSeconds, residentMiB: 100 },
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
  const results = toResults(facts, run({ gateway: 2, scoring: 1, k6: 9 }), run({ bare: 0.5, k6: 9 }));
  expect(results.ratios).toMatchObject({ cpu: 6, p50: 1 });
  expect(results.processes.gateway).toMatchObject({ cores: 0.2, msPerCall: 20, callsPerCore: 50 });
  expect(results.goals).toEqual({
    'it ran to its end': true,
    'some calls were made': true,
    'failed: rate<0.001': true,
    'dropped_iterations: count==0': true,
    'http_req_duration: p(95)<50': false,
  });
  expect(toResults(facts, { ...run({}), isStopped: true }, null).goals['it ran to its end']).toBe(false);
  const breakpoint = { ...facts, profile: 'breakpoint' as const };
  expect(toResults(breakpoint, run({}), null).goals).not.toHaveProperty('failed: rate<0.001');
  expect(toResults(facts, { ...run({}), calls: [] }, null).goals['some calls were made']).toBe(false);
});
