import type { Store } from '@shelfwise/facts/stores/store';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import {
  type AnalysisQueue,
  addEntry,
  countOfCaller,
  countWaiting,
  filterEntries,
  findStartable,
  type QueueLimits,
  setCallers,
  startEntry,
} from '../domain/analysis-queue.ts';
import type { AnalysisQueueStore } from '../stores/analysis-queue-store.ts';

/** After this time without a renewal, the places of a copy that died are free. */
const leaseMs = 30_000;
/** Three renewals fit into a lease, so that a failed one does not lose it. */
const renewMs = 8000;
/** How often a copy with waiting analyses looks whether one of them may run. */
const pollMs = 1000;
/** More calls than can wait. */
const maxTogether = 1000;

export type SharedSemaphore = ReturnType<typeof createSharedSemaphore>;

/** The right to run one analysis, granted in the turn of `callerId`. */
export type Slot = {
  callerId: string;
  /** Fires when the slot was lost, because this copy did not renew it in time. */
  lost: AbortSignal;
  /** Call it once. Never rejects. */
  release(): Promise<void>;
};

/** An analysis of this copy. */
type Own = {
  id: string;
  callers: WaitingCallers;
  state: 'new' | 'waiting' | 'running';
  lost: AbortController;
  enter(callerId: string): void;
  fail(error: unknown): void;
};

/**
 * Limits how many analyses of a store run at the same time, in all copies of the service together. The others wait;
 * callers are served in turn. More are refused.
 *
 * The queue is one document. Each copy brings what it has into it and starts those of its analyses whose turn it is. A
 * change fails if another copy changed the queue since it was read, and is then computed again, so the limits and turns
 * are exact. A copy that waits for another one notices its turn within a second.
 */
export function createSharedSemaphore(deps: {
  store: Store;
  queues: AnalysisQueueStore;
  limits: QueueLimits;
  newId: () => string;
  now: () => Date;
  sleep: Sleep;
}) {
  const { store, queues, limits, newId, now, sleep } = deps;
  const holder = newId();
  const own = new Map<string, Own>();
  /** Whether another copy had an analysis in the queue when it was read last. */
  let hasOthers = false;
  let isRenewing = false;
  /** Ends the pause before the next look at the queue. */
  let endPause = () => {};

  const countOwn = (isRunning: boolean) =>
    [...own.values()].filter(({ state }) => (state === 'running') === isRunning).length;

  /** What the queue should be, and what that means for the analyses of this copy. */
  function plan(stored: AnalysisQueue) {
    const at = now();
    const effects: (() => void)[] = [];
    const expiresAt = new Date(at.getTime() + leaseMs);
    const isDue = (entry: { expires_at: Date }) =>
      entry.expires_at.getTime() - at.getTime() <= leaseMs - renewMs;
    let queue = filterEntries(stored, (entry) =>
      entry.holder === holder ? own.has(entry.id) : entry.expires_at > at,
    );
    for (const analysis of own.values()) {
      const { id, callers, state } = analysis;
      const entry = queue.entries.find((queued) => queued.id === id);
      if (entry) {
        const { runs_for: callerId } = entry;
        if (callerId === null) queue = updateCallers(queue, id, callers.ids());
        // It was started by a change that the database did not confirm.
        else if (state !== 'running') effects.push(() => own.get(id)?.enter(callerId));
        continue;
      }
      if (state === 'running') {
        effects.push(() => lose(analysis));
        continue;
      }
      const refusal = state === 'new' ? refuse(queue, callers) : null;
      if (refusal) effects.push(() => analysis.fail(refusal));
      else queue = addEntry(queue, { id, holder, callerIds: callers.ids(), expires_at: expiresAt });
    }
    const renewed = queue.entries.map((entry) =>
      entry.holder === holder && isDue(entry) ? { ...entry, expires_at: expiresAt } : entry,
    );
    queue = { ...queue, entries: renewed };
    for (const { id, holder: holderOfNext, callerId } of findStartable(queue, limits)) {
      if (holderOfNext !== holder) continue;
      queue = startEntry(queue, id, callerId);
      effects.push(() => own.get(id)?.enter(callerId));
    }
    return { queue, effects };
  }

  /** Refuses an analysis when its first account has too many, or too many wait. */
  function refuse(queue: AnalysisQueue, callers: WaitingCallers): AppError | null {
    const [first = ''] = callers.ids();
    if (countOfCaller(queue, first) >= limits.ofCaller) return tooManyOfCaller(limits);
    const waiting = countWaiting(queue);
    return waiting >= limits.waiting ? queueFull(waiting) : null;
  }

  function lose(analysis: Own): void {
    own.delete(analysis.id);
    analysis.lost.abort(
      new AppError('SERVICE_UNAVAILABLE', 'The analysis was interrupted. Try again in a minute.'),
    );
  }

  async function updateQueue(): Promise<void> {
    for (;;) {
      const { version, ...stored } = await queues.find(store);
      const known = [...own.values()];
      const { queue, effects } = plan(stored);
      hasOthers = queue.entries.some((entry) => entry.holder !== holder);
      if (isEqual(stored, queue) || (await queues.replace(store, version, queue))) {
        for (const analysis of known) if (analysis.state === 'new') analysis.state = 'waiting';
        for (const effect of effects) effect();
        return;
      }
    }
  }

  /** Calls at the same time share one change. */
  const update = createBatches<null, null>({
    maxItems: maxTogether,
    async run(calls) {
      await updateQueue();
      return calls;
    },
  });
  /** For changes that the next look repeats if the database fails. */
  const tryUpdate = () => update(null).then(undefined, () => {});

  /** Renews the entries of this copy and looks for its turn, while it has any. */
  async function keepRenewing(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    while (own.size > 0) {
      const pause = new AbortController();
      endPause = () => pause.abort();
      await sleep(hasOthers && countOwn(false) > 0 ? pollMs : renewMs, pause.signal);
      if (own.size > 0 && !pause.signal.aborted) await tryUpdate();
    }
    isRenewing = false;
  }

  function wait(callers: WaitingCallers, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const id = newId();
      const leave = async () => {
        if (own.delete(id)) await tryUpdate();
        if (own.size === 0) endPause();
      };
      const stopWaiting = () => {
        signal.removeEventListener('abort', giveUp);
        stopListening();
      };
      const giveUp = () => analysis.fail(signal.reason);
      const analysis: Own = {
        id,
        callers,
        state: 'new',
        lost: new AbortController(),
        enter(callerId) {
          stopWaiting();
          analysis.state = 'running';
          resolve({ callerId, lost: analysis.lost.signal, release: leave });
        },
        fail(error) {
          stopWaiting();
          reject(error);
          void leave();
        },
      };
      own.set(id, analysis);
      signal.addEventListener('abort', giveUp, { once: true });
      // A caller that joins may be one that has nothing running.
      const stopListening = callers.onChange(() => void tryUpdate());
      update(null).then(
        () => {
          // The pause may have been chosen before there was something to wait for.
          if (analysis.state === 'waiting') endPause();
          void keepRenewing();
        },
        (error: unknown) => {
          if (analysis.state === 'new') analysis.fail(error);
        },
      );
    });
  }

  return {
    /** In this copy. */
    running: () => countOwn(true),
    waiting: () => countOwn(false),

    /**
     * Waits for a slot.
     * @throws SERVICE_UNAVAILABLE when the first caller has too many, or too many wait; the signal's reason when it
     *   fires; the error of the database
     */
    async acquire(callers: WaitingCallers, signal: AbortSignal): Promise<Slot> {
      signal.throwIfAborted();
      return wait(callers, signal);
    },

    /** Resolves when the places of analyses that have ended are free. */
    idle: () => tryUpdate(),
  };
}

function updateCallers(queue: AnalysisQueue, id: string, callerIds: readonly string[]): AnalysisQueue {
  const entry = queue.entries.find((queued) => queued.id === id);
  const isSame = entry?.callers.map((caller) => caller.id).join('\n') === callerIds.join('\n');
  return isSame ? queue : setCallers(queue, id, callerIds);
}

/** Dates and numbers are written alike on both sides. */
function isEqual(
  { last, entries, served }: AnalysisQueue,
  { last: newLast, entries: newEntries, served: newServed }: AnalysisQueue,
): boolean {
  return last === newLast && JSON.stringify([entries, served]) === JSON.stringify([newEntries, newServed]);
}

function tooManyOfCaller({ runningOfCaller, ofCaller }: QueueLimits): AppError {
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
