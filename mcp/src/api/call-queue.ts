/**
 * The rate windows of a key are 5 calls in a second and 59 in a minute, by the clock of the server. Here they are a
 * little longer, because calls do not arrive as evenly as they were sent.
 */
const windows = [
  { calls: 5, ms: 1100 },
  { calls: 59, ms: 61_000 },
] as const;
const mostCalls = Math.max(...windows.map(({ calls }) => calls));
/** The API answers at most 20 calls of an account at once. */
const mostInFlight = 16;
const mostWaiting = 64;
const longestWaitMs = 55_000;

/** The reasons why a call was not made. */
export class QueueError extends Error {
  override readonly name = 'QueueError';
}

export type Clock = {
  nowMs(): number;
  /** Calls back once. Returns what cancels it. */
  after(ms: number, callback: () => void): () => void;
};

type Waiter = { admit(): void };

export type CallQueue = {
  /**
   * Waits until a call may be made, in the order of the calls. Call the result when the API has answered.
   * @param options.repeated when the call is made again: what it has waited here before
   * @throws QueueError for a new call with 64 calls waiting, and after 55 s
   * @throws the reason of the signal
   */
  takeSlot(options: { signal: AbortSignal; repeated?: { waitedMs: number } | null }): Promise<() => void>;
  /** The API wants no call of this key for this time. */
  pause(ms: number): void;
  /** Whether nothing is remembered: no call waits, runs or counts in a window. */
  isIdle(): boolean;
};

/** Keeps the calls of one key inside its rate windows: assistants make many at once. */
export function createCallQueue(clock: Clock): CallQueue {
  const waiting: Waiter[] = [];
  /** When the last calls were sent, oldest first. */
  const sentAt: number[] = [];
  let inFlight = 0;
  let pausedUntil = 0;
  let cancelTimer = () => {};

  /** In ms; 0 when a call may be sent. */
  function untilFree(): number {
    const now = clock.nowMs();
    const waits = windows.map(({ calls, ms }) => {
      const oldest = sentAt.at(-calls);
      return oldest === undefined ? 0 : oldest + ms - now;
    });
    return Math.max(0, pausedUntil - now, ...waits);
  }

  function admit(): void {
    cancelTimer();
    while (waiting.length > 0 && inFlight < mostInFlight) {
      const wait = untilFree();
      if (wait > 0) {
        cancelTimer = clock.after(wait, admit);
        return;
      }
      sentAt.push(clock.nowMs());
      if (sentAt.length > mostCalls) sentAt.shift();
      inFlight++;
      waiting.shift()?.admit();
    }
  }

  return {
    takeSlot({ signal, repeated = null }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (!repeated && waiting.length >= mostWaiting) return reject(tooManyWaiting());
        const settle = (act: () => void) => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
          act();
        };
        const waiter: Waiter = { admit: () => settle(() => resolve(once(end))) };
        const giveUp = (error: unknown) => {
          waiting.splice(waiting.indexOf(waiter), 1);
          settle(() => reject(error));
        };
        const onAbort = () => giveUp(signal.reason);
        const leftMs = Math.max(0, longestWaitMs - (repeated?.waitedMs ?? 0));
        const cancelTimeout = clock.after(leftMs, () => giveUp(waitedTooLong()));
        signal.addEventListener('abort', onAbort);
        // A call that is made again goes first: those behind it would meet the same refusal.
        if (repeated) waiting.unshift(waiter);
        else waiting.push(waiter);
        admit();
      });
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.nowMs() + ms);
    },
    isIdle() {
      const longest = Math.max(...windows.map(({ ms }) => ms));
      return waiting.length === 0 && inFlight === 0 && (sentAt.at(-1) ?? -longest) + longest <= clock.nowMs();
    },
  };

  function end(): void {
    inFlight--;
    admit();
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

function tooManyWaiting(): QueueError {
  return new QueueError(
    `${mostWaiting} calls of this key are waiting for the rate limit of 5 calls a second and 59 a minute. Make fewer calls at once, and this one again later.`,
  );
}

function waitedTooLong(): QueueError {
  return new QueueError(
    `This call waited ${longestWaitMs / 1000} seconds for the rate limit of 59 calls a minute and was not made. Make it again in a minute, with fewer calls at once.`,
  );
}
