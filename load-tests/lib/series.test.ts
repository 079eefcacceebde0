import { readUse, slopePerHour, toSeries } from './series.ts';

const call = (at: number, ms: number) => ({ at, ms, status: 200, route: 'GET /x' });
const sample = (at: number, cpuSeconds: number, residentMiB: number) => ({
  at,
  states: new Map([['gateway', { cpuSeconds, residentMiB }]]),
});

test('a run is cut into equal parts, each with its own rate, times, failures and use', () => {
  const recording = {
    startedAt: 10_000,
    endedAt: 14_500,
    calls: [...Array.from({ length: 100 }, (_, index) => call(10_000 + index, index + 1)), call(12_500, 7)],
    failures: [
      { at: 12_100, code: 'RATE_LIMITED' },
      { at: 12_200, code: 'RATE_LIMITED' },
    ],
    processes: [sample(10_000, 1, 100), sample(12_000, 2, 110), sample(14_000, 2.5, 120)],
  };
  expect(toSeries(recording, 2)).toEqual([
    {
      second: 0,
      rate: 50,
      p50: 50,
      p95: 95,
      p99: 99,
      failures: {},
      cores: { gateway: 0.5 },
      memory: { gateway: 110 },
    },
    {
      second: 2,
      rate: 0.5,
      p50: 7,
      p95: 7,
      p99: 7,
      failures: { RATE_LIMITED: 1 },
      cores: { gateway: 0.25 },
      memory: { gateway: 120 },
    },
  ]);
});

test('a part without calls has no times, and a process that appears later has no CPU before', () => {
  const recording = { startedAt: 0, endedAt: 4000, calls: [call(3000, 5)], failures: [], processes: [] };
  expect(toSeries(recording, 2)[0]).toMatchObject({ rate: 0, p50: null, p99: null, cores: {} });
  const late = [{ at: 0, states: new Map() }, sample(1000, 5, 50)];
  expect(readUse(late, { from: 0, to: 1000 })).toEqual({ cores: {}, memory: { gateway: 50 } });
});

test('a process that was restarted counts from zero: its CPU is unknown', () => {
  const restarted = [sample(0, 5, 50), sample(1000, 1, 40)];
  expect(readUse(restarted, { from: 0, to: 1000 })).toEqual({ cores: {}, memory: { gateway: 40 } });
});

test('the slope is that of the line through the points', () => {
  expect(slopePerHour([0, 600, 1200].map((second) => [second, 100 + second / 60] as const))).toBeCloseTo(60);
  expect(
    slopePerHour([
      [0, 100],
      [60, 101],
      [120, 100],
    ]),
  ).toBeCloseTo(0);
});
