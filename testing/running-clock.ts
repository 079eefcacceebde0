import { type Sleep, sleep } from '@shelfwise/runtime/concurrency/sleep';
import { withAnySignal } from '@shelfwise/runtime/concurrency/with-any-signal';
import { monotonicMs } from './system-clock.ts';

/**
 * A clock that runs like the system's from `start`, in ms since 1970, and that a test may move on. What sleeps until a time
 * that has come goes on at once; with `now` alone, a worker that is idle would look again within a minute.
 */
export function createRunningClock(start: number) {
  const startedMs = monotonicMs();
  const sleepers = new Set<{ until: number; wake: () => void }>();
  let movedMs = 0;
  const nowMs = () => start + movedMs + monotonicMs() - startedMs;
  const followingSleep: Sleep = async (ms, signal) => {
    const moved = new AbortController();
    const sleeper = { until: nowMs() + ms, wake: () => moved.abort() };
    sleepers.add(sleeper);
    await withAnySignal([signal, moved.signal], (either) => sleep(ms, either));
    sleepers.delete(sleeper);
  };
  return {
    now: () => new Date(nowMs()),
    monotonicMs: () => movedMs + monotonicMs(),
    sleep: followingSleep,
    moveBy(ms: number): void {
      movedMs += ms;
      for (const { until, wake } of sleepers) if (until <= nowMs()) wake();
    },
  };
}
