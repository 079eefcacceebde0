import { findKnee, findRecovery } from './knee-and-recovery.ts';
import type { Recording } from './series.ts';

/** `rate` calls a second for some seconds, each of which takes `ms`. */
type Part = { seconds: number; rate: number; ms: number; failures?: number };

function record(parts: readonly Part[], route = 'GET /keywords'): Recording {
  const calls: Recording['calls'][number][] = [];
  const failures: Recording['failures'][number][] = [];
  let at = 0;
  for (const { seconds, rate, ms, failures: failed = 0 } of parts) {
    for (let index = 0; index < seconds * rate; index++)
      calls.push({ at: at + (1000 * index) / rate, ms, status: 200, route });
    for (let index = 0; index < seconds * failed; index++)
      failures.push({ at: at + (1000 * index) / failed, code: 'SERVICE_UNAVAILABLE' });
    at += 1000 * seconds;
  }
  return { startedAt: 0, endedAt: at, calls, failures, processes: [] };
}

describe('the knee is the rate of the last half minute before answers', () => {
  const fast = [10, 20, 30].map((rate) => ({ seconds: 30, rate, ms: 20 }));
  const slow = { seconds: 30, rate: 40, ms: 400 };

  test('stay slow', () => expect(findKnee(record([...fast, slow, slow]))).toBe(30));
  test('fail', () => {
    expect(findKnee(record([...fast, { seconds: 30, rate: 40, ms: 20, failures: 1 }]))).toBe(30);
  });
  test('after which none comes', () => {
    const nothing = { seconds: 30, rate: 0, ms: 0 };
    expect(findKnee(record([...fast, nothing]))).toBe(30);
  });
  test('but slow ones before fast ones are none', () => {
    expect(findKnee(record([...fast, slow, ...fast]))).toBeNull();
  });
  test('or 0, when they are slow from the beginning', () => expect(findKnee(record([slow]))).toBe(0));
  test('of calls that read stored data: others may take long', () => {
    const other = record([slow], 'POST /keywords').calls;
    const recording = record(fast);
    expect(findKnee({ ...recording, calls: [...recording.calls, ...other] })).toBeNull();
  });
});

describe('the recovery after a spike is the time until answers of a minute are as fast as before', () => {
  const recover = (slowFor: number) =>
    findRecovery(
      record([
        { seconds: 120, rate: 10, ms: 20 },
        { seconds: 40, rate: 100, ms: 900 },
        { seconds: slowFor, rate: 10, ms: 200 },
        { seconds: 180 - slowFor, rate: 10, ms: 21 },
      ]),
    );

  // Up to a twentieth of the calls of that minute, 3 seconds, may be slow.
  test.each([0, 10, 60])('%d s', (slowFor) => expect(recover(slowFor)).toBe(slowFor));
  test('never', () => expect(recover(180)).toBeNull());
});
