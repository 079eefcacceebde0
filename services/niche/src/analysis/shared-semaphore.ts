import type { Store } from '@shelfwise/facts/stores/store';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import {
  type AnalysisQueue,
  addEntry,
  addFailure,
  countOfCaller,
  countWaiting,
  type FailedEntry,
  filterEntries,
  findStartable,
  type QueueEntry,
  type QueueLimits,
  setCallers,
  startEntry,
} from '../domain/analysis-queue.ts';
import type { AnalysisQueueStore } from '../stores/analysis-queue-store.ts';
import { createDeadEntries } from './dead-entries.ts';

/** After this time without a renewal, the analyses of a copy are taken for dead, and the copy ends them. */
const leaseMs = 30_000;
/** Three renewals fit into a lease, so that a failed one does not lose it. */
const renewMs = 8000;
/** How often a copy looks whether a waiting analysis may run, and how soon it repeats a renewal that failed. */
const pollMs = 1000;
/** More calls than can wait. */
const maxTogether = 1000;

export type SharedSemaphore = ReturnType<typeof createSharedSemaphore>;

/** The right to run one analysis, granted in the turn of `callerId`. */
export type Slot = {
  callerId: string;
  /** Fires when the slot was lost, because this copy did not renew it in time. */
  lost: AbortSignal;
  /** Call it once, with the error for those that wait for the analysis in other copies. Never rejects. */
  release(failure: AppError | null): Promise<void>;
};

/** An analysis that has its place in the queue, and how the latest ones failed. */
export type FoundAnalysis = { id: string | null; failures: readonly FailedEntry[] };

/** An analysis of this copy. */
type Own = {
  id: string;
  key: string;
  callers: WaitingCallers;
  state: 'new' | 'waiting' | 'running';
  lost: AbortController;
  enter(callerId: string): void;
  /** Another copy has the same analysis. */
  giveWay(): void;
  fail(error: unknown): void;
};

/**
 * Limits how many analyses of a store run at the same time, in all copies of the service together. The others wait;
 * callers are served in turn. More are refused. The same analysis is never in two copies.
 *
 * The queue is one document. Each copy brings what it has into it and starts those of its analyses whose turn it is. A
 * change fails if another copy changed the queue since it was read, and is then computed again, so the limits and turns
 * are exact. A copy that waits for another one notices its turn within a second. The entries of a copy that died are dropped
 * by the next copy that has seen them for 30 s without a renewal; each copy measures this time itself.
 */
export function createSharedSemaphore(deps: {
  store: Store;
  queues: AnalysisQueueStore;
  limits: QueueLimits;
  newId: () => string;
  monotonicMs: () => number;
  sleep: Sleep;
}) {
  const { store, queues, limits, newId, monotonicMs, sleep } = deps;
  const holder = newId();
  const own = new Map<string, Own>();
  const findDead = createDeadEntries({ leaseMs, monotonicMs });
  /** When the last successful renewal of this copy was sent. */
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  const newFailures = new Set<FailedEntry>();
  /** Whether another copy had an analysis in the queue when it was read last. */
  let hasOthers = false;
  let isRenewing = false;
  /** Ends the pause before the next look at the queue. */
  let endPause = () => {};

  const countOwn = (isRunning: boolean) =>
    [...own.values()].filter(({ state }) => (state === 'running') === isRunning).length;

  /** The queue as it is stored, and without the entries that have no living copy. */
  async function readQueue() {
    const { version, ...stored } = await queues.find(store);
    const dead = findDead(stored.entries.filter((entry) => entry.holder !== holder));
    const living = filterEntries(stored, (entry) =>
      entry.holder === holder ? own.has(entry.id) : !dead.has(entry.id),
    );
    return { version, stored, living };
  }

  /** What the queue should be, and what that means for the analyses of this copy. */
  function plan(living: AnalysisQueue, isRenewal: boolean) {
    const effects: (() => void)[] = [];
    let queue = living;
    for (const failure of newFailures) queue = addFailure(queue, failure);
    for (const analysis of own.values()) {
      const { id, key, callers, state } = analysis;
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
      if (queue.entries.some((other) => other.key === key)) {
        effects.push(() => analysis.giveWay());
        continue;
      }
      const refusal = state === 'new' ? refuse(queue, callers) : null;
      if (refusal) effects.push(() => analysis.fail(refusal));
      else queue = addEntry(queue, { id, key, holder, callerIds: callers.ids(), renewals: 0 });
    }
    if (isRenewal) queue = { ...queue, entries: queue.entries.map(renew) };
    for (const { id, holder: holderOfNext, callerId } of findStartable(queue, limits)) {
      if (holderOfNext !== holder) continue;
      queue = startEntry(queue, id, callerId);
      effects.push(() => own.get(id)?.enter(callerId));
    }
    return { queue, effects };
  }

  function renew(entry: QueueEntry): QueueEntry {
    return entry.holder === holder ? { ...entry, renewals: entry.renewals + 1 } : entry;
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
    analysis.lost.abort(new Error('the slot is lost'));
  }

  /** When no renewal has succeeded for so long, other copies may have dropped the analyses of this one. */
  function loseUnlessRenewed(): void {
    if (monotonicMs() - renewedAtMs < leaseMs) return;
    for (const analysis of [...own.values()]) if (analysis.state === 'running') lose(analysis);
  }

  async function updateQueue(): Promise<void> {
    for (;;) {
      const sentAtMs = monotonicMs();
      // Timers are not exact.
      const isRenewal = sentAtMs - renewedAtMs >= renewMs - pollMs;
      const { version, stored, living } = await readQueue();
      const known = [...own.values()];
      const failures = [...newFailures];
      const { queue, effects } = plan(living, isRenewal);
      hasOthers = queue.entries.some((entry) => entry.holder !== holder);
      if (isEqual(stored, queue) || (await queues.replace(store, version, queue))) {
        if (isRenewal) renewedAtMs = sentAtMs;
        for (const failure of failures) newFailures.delete(failure);
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
  /** For changes that the next look repeats if the database fails. Returns false then. */
  const tryUpdate = () =>
    update(null).then(
      () => true,
      () => false,
    );
  /** Calls at the same time share one reading. */
  const read = createBatches<null, AnalysisQueue>({
    maxItems: maxTogether,
    async run(calls) {
      const { living } = await readQueue();
      return calls.map(() => living);
    },
  });

  /** Renews the entries of this copy and looks for its turn, while it has any. */
  async function keepRenewing(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    let isUpdated = true;
    while (own.size > 0) {
      const pause = new AbortController();
      endPause = () => pause.abort();
      const isSoon = !isUpdated || (hasOthers && countOwn(false) > 0);
      await sleep(isSoon ? pollMs : renewMs, pause.signal);
      if (own.size === 0 || pause.signal.aborted) continue;
      isUpdated = await tryUpdate();
      if (!isUpdated) loseUnlessRenewed();
    }
    isRenewing = false;
  }

  function wait(key: string, callers: WaitingCallers, signal: AbortSignal): Promise<Slot | null> {
    return new Promise((resolve, reject) => {
      const id = newId();
      const leave = async () => {
        if (own.delete(id)) await tryUpdate();
        if (own.size === 0) endPause();
      };
      const release = async (error: AppError | null) => {
        const failure = error && { id, code: error.code, message: error.message };
        if (failure && own.has(id)) newFailures.add(failure);
        await leave();
        if (failure) newFailures.delete(failure);
      };
      const stopWaiting = () => {
        signal.removeEventListener('abort', giveUp);
        stopListening();
      };
      const giveUp = () => analysis.fail(signal.reason);
      const analysis: Own = {
        id,
        key,
        callers,
        state: 'new',
        lost: new AbortController(),
        enter(callerId) {
          stopWaiting();
          analysis.state = 'running';
          resolve({ callerId, lost: analysis.lost.signal, release });
        },
        giveWay() {
          stopWaiting();
          resolve(null);
          void leave();
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
     * Waits for a slot for the analysis of `key`. Returns null when that analysis runs or waits already; `find` tells
     * when it has ended.
     * @throws SERVICE_UNAVAILABLE when the first caller has too many, or too many wait; the signal's reason when it
     *   fires; the error of the database
     */
    async acquire(key: string, callers: WaitingCallers, signal: AbortSignal): Promise<Slot | null> {
      signal.throwIfAborted();
      return wait(key, callers, signal);
    },

    /** The analysis of `key` that runs or waits in any copy. @throws the error of the database */
    async find(key: string): Promise<FoundAnalysis> {
      const { entries, failures } = await read(null);
      // Those of this copy may not be stored yet.
      const found = [...own.values(), ...entries].find((analysis) => analysis.key === key);
      return { id: found?.id ?? null, failures };
    },

    /** Resolves when the places of analyses that have ended are free. */
    async idle(): Promise<void> {
      await tryUpdate();
    },
  };
}

function updateCallers(queue: AnalysisQueue, id: string, callerIds: readonly string[]): AnalysisQueue {
  const entry = queue.entries.find((queued) => queued.id === id);
  const isSame = entry?.callers.map((caller) => caller.id).join('\n') === callerIds.join('\n');
  return isSame ? queue : setCallers(queue, id, callerIds);
}

function isEqual(left: AnalysisQueue, right: AnalysisQueue): boolean {
  const content = ({ last, entries, served, failures }: AnalysisQueue) =>
    JSON.stringify([last, entries, served, failures]);
  return content(left) === content(right);
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
