import { createWorkerBreaker } from './worker-breaker.ts';

function start() {
  const clock = { ms: 0 };
  const breaker = createWorkerBreaker(() => new Date(clock.ms));
  const secondsToNextTry = () => ((breaker.pauseReason()?.until.getTime() ?? 0) - clock.ms) / 1000;
  const failTimes = (times: number) => Array.from({ length: times }, () => breaker.failed('timeout'));
  return { clock, breaker, secondsToNextTry, failTimes };
}

test('two consecutive failures do not pause, three do', () => {
  const { breaker, failTimes } = start();
  expect(failTimes(2)).toEqual([false, false]);
  expect(breaker.isPaused()).toBe(false);
  expect(failTimes(1)).toEqual([true]);
  expect(breaker.isPaused()).toBe(true);
  expect(breaker.pauseReason()).toEqual({ until: new Date(15_000), reason: 'timeout' });
});

test('a success resets the count of failures', () => {
  const { breaker, failTimes } = start();
  for (let round = 0; round < 5; round++) {
    failTimes(2);
    breaker.succeeded();
  }
  expect(breaker.isPaused()).toBe(false);
});

test('each failed trial doubles the pause, up to a minute, and only the first pause is reported', () => {
  const { clock, breaker, secondsToNextTry, failTimes } = start();
  failTimes(3);
  const pauses = [secondsToNextTry()];
  for (let trial = 0; trial < 4; trial++) {
    clock.ms += secondsToNextTry() * 1000;
    expect(breaker.isPaused()).toBe(false);
    expect(failTimes(1)).toEqual([false]);
    pauses.push(secondsToNextTry());
  }
  expect(pauses).toEqual([15, 30, 60, 60, 60]);
});

test('failures during a pause do not lengthen it', () => {
  const { secondsToNextTry, failTimes } = start();
  failTimes(30);
  expect(secondsToNextTry()).toBe(15);
});

test('a success during a pause does not end it; a successful trial does', () => {
  const { clock, breaker, failTimes } = start();
  failTimes(3);
  expect(breaker.succeeded()).toBe(false);
  expect(breaker.isPaused()).toBe(true);
  clock.ms = 15_000;
  expect(breaker.succeeded()).toBe(true);
  expect(breaker.pauseReason()).toBeNull();
  expect(failTimes(3)).toEqual([false, false, true]);
  expect(breaker.pauseReason()?.until).toEqual(new Date(30_000));
});

test('a successful claim ends a pause after a failed claim, but not a pause after failed jobs', () => {
  const { clock, breaker, failTimes } = start();
  breaker.claimFailed('no database');
  expect(breaker.claimSucceeded()).toBe(true);
  expect(breaker.pauseReason()).toBeNull();
  failTimes(3);
  clock.ms = 15_000;
  expect(breaker.claimSucceeded()).toBe(false);
  expect(breaker.pauseReason()?.reason).toBe('timeout');
});

test('a clock that is set back ends a pause', () => {
  const { clock, breaker, failTimes } = start();
  clock.ms = 6 * 3_600_000;
  failTimes(3);
  clock.ms = 0;
  expect(breaker.isPaused()).toBe(false);
});

test('a failed claim pauses immediately', () => {
  const { clock, breaker, secondsToNextTry } = start();
  expect(breaker.claimFailed('no database')).toBe(true);
  expect(secondsToNextTry()).toBe(15);
  clock.ms = 15_000;
  expect(breaker.claimFailed('no database')).toBe(false);
  expect(secondsToNextTry()).toBe(30);
});
