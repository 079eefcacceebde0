import type { Store } from '@shelfwise/facts/stores/store';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { untilAborted } from '@shelfwise/runtime/concurrency/until-aborted';
import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { within } from '@shelfwise/runtime/concurrency/within';
import { AppError } from '@shelfwise/runtime/errors';
import {
  enterAnalysis,
  type FailedEntry,
  type QueuedAnalysis,
  type QueueEntry,
  type QueueLimits,
  startNext,
} from '../domain/analysis-queue.ts';
import type { AnalysisQueueStore, StoredQueue } from '../stores/analysis-queue-store.ts';

/** After this time without a renewal, other copies take the analyses of a copy for dead. */
const leaseMs = 30_000;
/** After this time without a renewal, the copy ends them itself, before the others do. */
const ownLeaseMs = 25_000;
/** Three renewals fit into a lease, so that a failed one does not lose it. */
const renewMs = 8000;
/** How often a copy looks whether a waiting analysis may run, and how soon it repeats a renewal that failed. */
const pollMs = 1000;
/** Many more than fail in a second, in which each copy reads them. */
const keptFailures = 50;
/** More calls than can wait. */
const maxTogether = 1000;

/** An analysis of this copy that waits or runs. */
type OwnAnalysis = QueuedAnalysis & {
  /** Aborts it when its entry was lost, because this copy did not renew it in time. */
  lost: AbortController;
  /** Ends the waiting: it runs in the turn of this account; null: another copy has it, or dropped its entry. */
  grant(callerId: string | null): void;
  refuse(error: unknown): void;
};

export type SharedSemaphore = ReturnType<typeof createSharedSemaphore>;

/**
 * Limits how many analyses of a store run at the same time, in all copies of the service. The others wait, callers are
 * served in turn, and more are refused. The same analysis is never in two copies.
 *
 * The queue is one document. A copy adds its analyses and starts all whose turn it is, also those of other copies,
 * which notice within a second. A change fails if another copy changed the queue since it was read, and is then
 * computed again: limits and turns are exact. Entries without a renewal for 30 s are dropped; each copy measures this
 * time itself.
 */
export function createSharedSemaphore(deps: {
  store: Store;
  queues: AnalysisQueueStore;
  limits: QueueLimits;
  newId: () => string;
  /** A clock that is never set. */
  monotonicMs: () => number;
  sleep: Sleep;
  /** After this time without an answer of the database, an update counts as failed. Default: 3 s. */
  answerMs?: number;
}) {
  const { store, queues, limits, newId, monotonicMs, sleep, answerMs = 3000 } = deps;
  const holder = newId();
  const own = new Map<string, OwnAnalysis>();
  const newFailures: FailedEntry[] = [];
  /** The entries of other copies at the last look, and since when this copy has seen their last renewal. */
  let seen = new Map<string, { renewals: number; sinceMs: number }>();
  /** When the last successful renewal of this copy was sent. */
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let isRenewing = false;
  /** Ends the pause before the next look at the queue. */
  let endPause = () => {};

  const countOwn = (isRunning: boolean) =>
    [...own.values()].filter(({ state }) => (state === 'running') === isRunning).length;

  /** The queue without the entries that have no living copy, and the text of what is stored. */
  async function readQueue(): Promise<{ queue: StoredQueue; storedText: string }> {
    const queue = await queues.find(store);
    const storedText = JSON.stringify(queue);
    const nowMs = monotonicMs();
    const others = queue.entries.filter((entry) => entry.holder !== holder);
    seen = new Map(
      others.map(({ id, renewals }) => {
        const before = seen.get(id);
        return [id, before?.renewals === renewals ? before : { renewals, sinceMs: nowMs }];
      }),
    );
    const isAlive = ({ id }: QueueEntry) => nowMs - (seen.get(id)?.sinceMs ?? nowMs) < leaseMs;
    queue.entries = queue.entries.filter((entry) =>
      entry.holder === holder ? own.has(entry.id) : isAlive(entry),
    );
    return { queue, storedText };
  }

  async function updateQueue(): Promise<void> {
    for (;;) {
      const sentAtMs = monotonicMs();
      // Timers are not exact.
      const isRenewal = sentAtMs - renewedAtMs >= renewMs - pollMs;
      const { queue, storedText } = await readQueue();
      const entered = [...own.values()].map((analysis) => ({
        analysis,
        error: enterAnalysis(queue, analysis, { holder, limits }),
      }));
      const failures = [...newFailures];
      queue.failures = [...queue.failures, ...failures].slice(-keptFailures);
      startNext(queue, limits);
      if (isRenewal) for (const entry of queue.entries) if (entry.holder === holder) entry.renewals += 1;
      if (JSON.stringify(queue) === storedText || (await queues.replace(queue))) {
        newFailures.splice(0, failures.length);
        if (isRenewal) renewedAtMs = sentAtMs;
        for (const { analysis, error } of entered) settle(analysis, error, queue);
        return;
      }
    }
  }

  /** What the stored queue means for an analysis of this copy. */
  function settle(analysis: OwnAnalysis, error: AppError | null, { entries }: StoredQueue): void {
    // Its callers may have left while the queue was stored.
    if (!own.has(analysis.id)) return;
    const entry = entries.find(({ id }) => id === analysis.id);
    if (!entry) drop(analysis, error);
    else if (entry.runs_for === null) analysis.state = 'waiting';
    else {
      analysis.state = 'running';
      analysis.grant(entry.runs_for);
    }
  }

  /** Ends an analysis that has no entry, or none any more. */
  function drop({ id, lost, grant, refuse }: OwnAnalysis, error: AppError | null): void {
    own.delete(id);
    if (own.size === 0) endPause();
    if (error) refuse(error);
    else {
      lost.abort(new Error('the entry is lost'));
      grant(null);
    }
  }

  /** When no renewal has succeeded for so long, other copies may soon drop the analyses of this one. */
  function dropUnlessRenewed(): void {
    if (monotonicMs() - renewedAtMs < ownLeaseMs) return;
    for (const analysis of own.values()) if (analysis.state === 'running') drop(analysis, null);
  }

  /** Calls at the same time share one change. */
  const update = shareCalls(updateQueue);
  /** For changes that the next look repeats if the database fails. Returns false then. */
  const tryUpdate = () =>
    within(answerMs, 'changing the queue of analyses', update()).then(
      () => true,
      () => false,
    );
  /** Calls at the same time share one reading. */
  const read = shareCalls(readQueue);

  /** Renews the entries of this copy and looks for its turn, while it has any. */
  async function keepRenewing(): Promise<void> {
    // The pause may have been chosen before there was something to wait for.
    endPause();
    if (isRenewing) return;
    isRenewing = true;
    let isUpdated = true;
    while (own.size > 0) {
      const pause = new AbortController();
      endPause = () => pause.abort();
      const isSoon = !isUpdated || (seen.size > 0 && countOwn(false) > 0);
      await sleep(isSoon ? pollMs : renewMs, pause.signal);
      if (own.size === 0 || pause.signal.aborted) continue;
      isUpdated = await tryUpdate();
      if (!isUpdated) dropUnlessRenewed();
    }
    isRenewing = false;
  }

  /** Removes the entry of an analysis, if it still has one. Never rejects. */
  async function leave(id: string, error: unknown): Promise<void> {
    if (!own.delete(id)) return;
    if (own.size === 0) endPause();
    if (error instanceof AppError && error.code === 'ANALYSIS_FAILED')
      newFailures.push({ id, code: error.code, message: error.message });
    await tryUpdate();
  }

  return {
    /** In this copy. */
    running: () => countOwn(true),
    waiting: () => countOwn(false),

    /**
     * Runs an analysis of `key` in the turn of one of its accounts. Those that wait for it in other copies learn of
     * ANALYSIS_FAILED. Returns null when that analysis runs or waits already (`find` tells when it has ended), or when
     * its entry was lost.
     * @param work its signal fires when the entry is lost, too
     * @throws SERVICE_UNAVAILABLE when its accounts have too many, or too many wait
     * @throws the signal's reason when it fires while it waits; the errors of the database and of `work`
     */
    async run<Result>(
      key: string,
      callers: WaitingCallers,
      signal: AbortSignal,
      work: (callerId: string, signal: AbortSignal) => Promise<Result>,
    ): Promise<Result | null> {
      signal.throwIfAborted();
      const id = newId();
      const lost = new AbortController();
      // A caller that joins may have nothing running yet.
      const stopListening = callers.onChange(() => void tryUpdate());
      const granted = new Promise<string | null>((grant, refuse) => {
        const analysis: OwnAnalysis = { id, key, callers, state: 'new', lost, grant, refuse };
        own.set(id, analysis);
        update().then(keepRenewing, (error) => analysis.state === 'new' && refuse(error));
      });
      let failure: unknown = null;
      try {
        const callerId = await untilAborted(granted, signal).finally(stopListening);
        if (callerId === null) return null;
        // The last caller may have left in the moment when its turn came.
        signal.throwIfAborted();
        return await work(callerId, AbortSignal.any([signal, lost.signal]));
      } catch (error) {
        if (lost.signal.aborted) return null;
        failure = error;
        throw error;
      } finally {
        await leave(id, failure);
      }
    },

    /** The analysis of `key` that runs or waits in any copy. @throws the error of the database */
    async find(key: string): Promise<{ id: string | null; failures: readonly FailedEntry[] }> {
      const { entries, failures } = (await read()).queue;
      // Those of this copy may not be stored yet.
      const found = [...own.values(), ...entries].find((analysis) => analysis.key === key);
      return { id: found?.id ?? null, failures };
    },

    /** Resolves when the entries of analyses that have ended are gone. */
    async idle(): Promise<void> {
      await tryUpdate();
    },
  };
}

/** Calls that come while one runs share the next one. */
function shareCalls<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const call = createBatches<null, Result>({
    maxItems: maxTogether,
    async run(calls) {
      const result = await work();
      return calls.map(() => result);
    },
  });
  return () => call(null);
}
