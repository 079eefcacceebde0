import type { Clock } from './call-queue.ts';

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
