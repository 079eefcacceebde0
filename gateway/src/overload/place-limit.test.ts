import { createPlaceLimit } from './place-limit.ts';

const most = 1000;

/** A service that answers `perSecond` calls, each after `ms`, for some seconds. Returns the limit at the end. */
function run(
  limit: ReturnType<typeof createPlaceLimit>,
  load: { from: number; seconds: number; perSecond: number; ms: number; taken?: number },
): number {
  const { from, seconds, perSecond, ms, taken = 100 } = load;
  for (let answer = 1; answer <= seconds * perSecond; answer++)
    limit.onAnswer(ms, from + (answer * 1000) / perSecond, taken);
  return limit.current(from + seconds * 1000);
}

test('quick answers leave the limit high', () => {
  const limit = createPlaceLimit();
  expect(run(limit, { from: 0, seconds: 10, perSecond: 500, ms: 50 })).toBe(most);
});

test('with late answers the limit is what the service answers within the time of a quick answer', () => {
  const limit = createPlaceLimit();
  const current = run(limit, { from: 0, seconds: 1, perSecond: 200, ms: 800 });
  expect(current).toBeGreaterThanOrEqual(0.3 * 200);
  expect(current).toBeLessThanOrEqual(0.3 * 200 + 10);
});

test('half a second of late answers is enough', () => {
  const limit = createPlaceLimit();
  expect(run(limit, { from: 0, seconds: 0.5, perSecond: 200, ms: 800 })).toBeLessThan(most);
});

test('a pause that makes the answers of one window late changes nothing', () => {
  const limit = createPlaceLimit();
  run(limit, { from: 0, seconds: 2, perSecond: 200, ms: 20 });
  run(limit, { from: 2000, seconds: 0.2, perSecond: 200, ms: 900 });
  expect(run(limit, { from: 2200, seconds: 1, perSecond: 200, ms: 20 })).toBe(most);
});

test('slow calls among quick ones change nothing', () => {
  const limit = createPlaceLimit();
  for (let at = 0; at < 5000; at += 5) limit.onAnswer(at % 3 === 0 ? 20 : 20_000, at, 100);
  expect(limit.current(5000)).toBe(most);
});

test('a few late answers change nothing', () => {
  const limit = createPlaceLimit();
  for (let at = 0; at < 400; at += 100) limit.onAnswer(5000, at, 4);
  expect(limit.current(400)).toBe(most);
});

test('16 calls may always be in progress', () => {
  const limit = createPlaceLimit();
  expect(run(limit, { from: 0, seconds: 10, perSecond: 10, ms: 4000 })).toBe(16);
});

test('the limit grows while answers are quick', () => {
  const limit = createPlaceLimit();
  const low = run(limit, { from: 0, seconds: 1, perSecond: 200, ms: 800 });
  const later = run(limit, { from: 1000, seconds: 1, perSecond: 200, ms: 200 });
  expect(later).toBeGreaterThan(2 * low);
  expect(run(limit, { from: 2000, seconds: 5, perSecond: 200, ms: 200 })).toBe(most);
});

test('late answers are forgotten when no calls follow', () => {
  const limit = createPlaceLimit();
  expect(run(limit, { from: 0, seconds: 1, perSecond: 200, ms: 800 })).toBeLessThan(most);
  expect(limit.current(1000 + 5100)).toBe(most);
});

test('a service that is slow with few calls, too, gets more of them', () => {
  const limit = createPlaceLimit();
  const slow = { perSecond: 200, ms: 400 };
  run(limit, { ...slow, from: 0, seconds: 5, taken: 10 });
  expect(run(limit, { ...slow, from: 5000, seconds: 5, taken: 80 })).toBeGreaterThan(80);
});
