import { createFairQueue } from '@shelfwise/runtime/concurrency/fair-queue';
import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError } from '@shelfwise/runtime/errors';

export type Semaphore = ReturnType<typeof createSemaphore>;

/** The right to run one analysis, granted in the turn of `callerId`. Call `release` once. */
export type Slot = { callerId: string; release: () => void };

type SemaphoreLimits = {
  /** How many run at the same time. */
  running: number;
  /** How many of one caller run at the same time. */
  runningOfCaller: number;
  /** How many of one caller run and wait; those that it shares count for the one of them that has waited longest. */
  ofCaller: number;
  waiting: number;
};

type Waiting = { callers: WaitingCallers; enter(slot: Slot): void };

/** Limits what runs at the same time. The others wait; callers are served in turn. More are refused. */
export function createSemaphore(limits: SemaphoreLimits) {
  const queue = createFairQueue<Waiting>();
  /** By caller. */
  const running = new Map<string, number>();
  let runningCount = 0;

  const runningOf = (callerId: string) => running.get(callerId) ?? 0;

  function enterAll(): void {
    while (runningCount < limits.running) {
      const next = queue.findFirst((callerId) => runningOf(callerId) < limits.runningOfCaller);
      if (!next) return;
      const { item, callerId } = next;
      queue.serve(item, callerId);
      count(callerId, 1);
      item.enter({ callerId, release: () => leave(callerId) });
    }
  }

  function leave(callerId: string): void {
    count(callerId, -1);
    enterAll();
  }

  function count(callerId: string, change: number): void {
    runningCount += change;
    const left = runningOf(callerId) + change;
    if (left > 0) running.set(callerId, left);
    else running.delete(callerId);
  }

  function wait(callers: WaitingCallers, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        callers,
        enter(slot) {
          stop();
          resolve(slot);
        },
      };
      const giveUp = () => {
        stop();
        queue.remove(waiting);
        reject(signal.reason);
      };
      const stop = () => {
        signal.removeEventListener('abort', giveUp);
        stopListening();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.add(waiting, callers);
      // A caller that joins may be one that has nothing running.
      const stopListening = callers.onChange(enterAll);
      enterAll();
    });
  }

  function ofCaller(callerId: string): number {
    const waiting = queue.groups().flatMap((items) => [...new Set(items)]);
    return runningOf(callerId) + waiting.filter(({ callers }) => callers.ids()[0] === callerId).length;
  }

  return {
    running: () => runningCount,
    waiting: () => queue.length(),

    /**
     * Waits for a slot.
     * @throws SERVICE_UNAVAILABLE when the first caller has too many, or too many wait; the signal's reason when it fires
     */
    async acquire(callers: WaitingCallers, signal: AbortSignal): Promise<Slot> {
      signal.throwIfAborted();
      const [first = ''] = callers.ids();
      if (ofCaller(first) >= limits.ofCaller) throw tooManyOfCaller(limits);
      if (queue.length() >= limits.waiting) throw queueFull(queue.length());
      return wait(callers, signal);
    },
  };
}

function tooManyOfCaller({ runningOfCaller, ofCaller }: SemaphoreLimits): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `Your account already has ${ofCaller} niche analyses of this store under way: ${runningOfCaller} runs at a time, and ${ofCaller - runningOfCaller} may wait. Try again when one of them has finished.`,
  );
}

function queueFull(waiting: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `${waiting} niche analyses of this store are already waiting. Try again in a few minutes.`,
  );
}
