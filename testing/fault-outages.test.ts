import { backAfter, longestOutage, recoveryTime, worstOutage } from '../experiments/faults/outages.ts';

const good = (sentAt: number, ms = 10) => ({ sentAt, ms, isGood: true });
const bad = (sentAt: number, ms = 10) => ({ sentAt, ms, isGood: false });

describe('the longest outage of a client', () => {
  test('lasts from the sending of the first failed call to the next good answer', () => {
    expect(longestOutage([good(0), bad(1000), bad(2000), good(3000, 50), good(4000)], 5000)).toBe(2050);
  });

  test('is one slow call, when that took longer', () => {
    expect(longestOutage([bad(0, 9000), good(1000), good(2000, 3000)], 20_000)).toBe(9000);
  });

  test('goes on to the end when no good answer follows', () => {
    expect(longestOutage([good(0), bad(1000)], 31_000)).toBe(30_000);
  });

  test('does not depend on the order in which calls ended', () => {
    expect(longestOutage([good(3000), bad(1000), good(0), bad(2000)], 5000)).toBe(2010);
  });

  test('is the one of the worst client', () => {
    const client = (name: string) => ({ kind: { name } });
    const [reader, writer] = [client('reads'), client('writes')];
    const calls = [
      { ...bad(0), client: reader },
      { ...good(100), client: writer },
      { ...bad(200), client: writer },
      { ...good(400), client: reader },
      { ...good(1200), client: writer },
    ];
    expect(worstOutage(calls, 2000)).toEqual({ ms: 1010, kind: 'writes' });
  });
});

test('the recovery takes until the last call that failed or was slow has ended', () => {
  const calls = [bad(0), good(900, 2000), good(1500), bad(1600, 20)];
  expect(recoveryTime(calls, 1000, 1000)).toBe(1900);
  expect(recoveryTime([good(0), good(1100)], 1000, 1000)).toBe(0);
});

test('calls are back after the last second of which more than a fiftieth was slow or failed', () => {
  const second = (at: number, count: number, slow: number) =>
    Array.from({ length: count }, (_, index) => good(at + index, index < slow ? 1500 : 10));
  expect(backAfter([...second(100, 50, 1), ...second(1100, 50, 1)], 100, 1000)).toBe(0);
  expect(backAfter([...second(100, 50, 5), ...second(1100, 50, 2), ...second(2100, 50, 1)], 100, 1000)).toBe(
    2000,
  );
  expect(backAfter([...second(100, 50, 5)], 100, 2000)).toBe(0);
  expect(backAfter([bad(3100), ...second(4100, 50, 0)], 100, 2000)).toBe(4000);
});
