import { setTimeout as sleep } from 'node:timers/promises';

/** Seldom, because it wakes an idle process. */
const tickMs = 500;
/** Shorter than callers wait before they give up a process (`frequentPings`), also with the time since the last tick. */
const standstillMs = 1500;
/** In this time the process reads everything that has arrived on its connections. */
const catchUpMs = 100;

/**
 * Knows when this process goes on after it stood still: frozen, swapped out, or busy for more than 1.5 s. What it reads then
 * are calls and, behind them, that their callers have left.
 */
export function watchStandstill() {
  let tickedAt = performance.now();
  let catchesUpUntil = 0;
  const timer = setInterval(tick, tickMs).unref();

  /** Also when a call arrives: after a standstill, sockets may be read before timers fire. */
  function tick(): number {
    const now = performance.now();
    if (now - tickedAt > standstillMs) catchesUpUntil = now + catchUpMs;
    tickedAt = now;
    return now;
  }

  return {
    /** Undefined unless the process has just stood still. Then resolves when it has read everything that had arrived. */
    caughtUp(): Promise<unknown> | undefined {
      const now = tick();
      const waitMs = catchesUpUntil - now;
      return waitMs > 0 ? sleep(waitMs) : undefined;
    },
    stop: () => clearInterval(timer),
  };
}
