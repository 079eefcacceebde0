import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { retryUntilDone } from './retry-until-done.ts';

test('failed work is retried every 15 seconds until it succeeds', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const failures: unknown[] = [];
  let triesLeft = 3;
  const work = async () => {
    triesLeft -= 1;
    if (triesLeft > 0) throw new Error('unavailable');
  };
  const { signal } = new AbortController();
  const done = retryUntilDone(work, {
    signal,
    sleep: clock.sleep,
    onFailure: (error) => failures.push(error),
  });
  for (const left of [2, 1]) {
    await until(() => clock.sleeping() === 1);
    clock.advance(14_999);
    expect(triesLeft).toBe(left);
    clock.advance(1);
    await until(() => triesLeft === left - 1);
  }
  await done;
  expect(failures).toEqual([new Error('unavailable'), new Error('unavailable')]);
});

test('an abort ends the wait without an error, and neither this nor a later call tries the work again', async () => {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const stopping = new AbortController();
  const work = jest.fn(async () => Promise.reject(new Error('unavailable')));
  const deps = { signal: stopping.signal, sleep: clock.sleep, onFailure: () => {} };
  const done = retryUntilDone(work, deps);
  await until(() => clock.sleeping() === 1);
  stopping.abort();
  await done;
  await retryUntilDone(work, deps);
  expect(work).toHaveBeenCalledTimes(1);
});
