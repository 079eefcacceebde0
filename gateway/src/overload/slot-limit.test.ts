import { createSlotLimit } from './slot-limit.ts';

const most = 100;

/** A service that answers `perSecond` calls, each after `ms`, for some seconds. Returns the limit at the end. */
function run(
  limit: ReturnType<typeof createSlotLimit>,
  load: { from: number; seconds: number; perSecond: number; ms: number; taken?: number },
): number {
  const { from, seconds, perSecond, ms, taken = most } = load;
  for (let answer = 1; answer <= seconds * perSecond; answer++)
    limit.onAnswer({ ms, now: from + (answer * 1000) / perSecond, taken, hasWaited: false });
  return limit.current(from + seconds * 1000);
}

test('quick answers leave the limit high', () => {
  const limit = createSlotLimit();
  expect(run(limit, { from: 0, seconds: 10, perSecond: 50, ms: 50 })).toBeGreaterThanOrEqual(most);
});

test('a service that answers many calls a second may have as many in progress', () => {
  const limit = createSlotLimit();
  const current = run(limit, { from: 0, seconds: 10, perSecond: 500, ms: 50 });
  expect(current).toBeGreaterThanOrEqual(500);
  expect(current).toBeLessThan(550);
});

test('with late answers the limit is what the service answers well within the time of a quick answer', () => {
  const limit = createSlotLimit();
  const current = run(limit, { from: 0, seconds: 2, perSecond: 100, ms: 800 });
  expect(current).toBeGreaterThanOrEqual(0.3 * 100);
  expect(current).toBeLessThanOrEqual(0.3 * 100 + 10);
});

test.each([
  ['a second of late answers, as while a process starts,', 1],
  ['a pause that makes the answers of one window late', 0.2],
])('%s changes nothing', (_what, seconds) => {
  const limit = createSlotLimit();
  run(limit, { from: 0, seconds: 2, perSecond: 100, ms: 20 });
  run(limit, { from: 2000, seconds, perSecond: 100, ms: 900 });
  const end = 2000 + seconds * 1000;
  expect(limit.current(end)).toBeGreaterThanOrEqual(most);
  expect(run(limit, { from: end, seconds: 1, perSecond: 100, ms: 20 })).toBeGreaterThanOrEqual(most);
});

test('slow calls among quick ones change nothing', () => {
  const limit = createSlotLimit();
  for (let at = 0; at < 5000; at += 5)
    limit.onAnswer({ ms: at % 3 === 0 ? 20 : 20_000, now: at, taken: most, hasWaited: false });
  expect(limit.current(5000)).toBeGreaterThanOrEqual(most);
});

test('a few late answers change nothing', () => {
  const limit = createSlotLimit();
  for (let at = 0; at < 400; at += 100) limit.onAnswer({ ms: 5000, now: at, taken: 4, hasWaited: false });
  expect(limit.current(400)).toBeGreaterThanOrEqual(most);
});

test('eight calls may always be in progress', () => {
  const limit = createSlotLimit();
  expect(run(limit, { from: 0, seconds: 10, perSecond: 10, ms: 4000 })).toBe(8);
});

test('the limit grows while answers are quick', () => {
  const limit = createSlotLimit();
  const low = run(limit, { from: 0, seconds: 2, perSecond: 100, ms: 800 });
  const later = run(limit, { from: 2000, seconds: 1, perSecond: 100, ms: 200 });
  expect(later).toBeGreaterThan(1.5 * low);
  expect(run(limit, { from: 3000, seconds: 5, perSecond: 100, ms: 200 })).toBeGreaterThanOrEqual(most);
});

test('late answers are forgotten when no calls follow', () => {
  const limit = createSlotLimit();
  expect(run(limit, { from: 0, seconds: 2, perSecond: 100, ms: 800 })).toBeLessThan(0.8 * most);
  expect(limit.current(2000 + 5100)).toBeGreaterThanOrEqual(most);
});

test('a service that is slow with few calls, too, gets more of them', () => {
  const limit = createSlotLimit();
  const slow = { perSecond: 100, ms: 800 };
  run(limit, { ...slow, from: 0, seconds: 5, taken: 5 });
  expect(run(limit, { ...slow, from: 5000, seconds: 5, taken: 80 })).toBeGreaterThan(80);
});
