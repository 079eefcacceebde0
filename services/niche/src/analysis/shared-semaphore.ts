import type { Store } from '@shelfwise/facts/stores/store';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import { within } from '@shelfwise/runtime/concurrency/within';
import type { AppError } from '@shelfwise/runtime/errors';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import {
  type AnalysisQueue,
  type FailedEntry,
  filterEntries,
  type QueueLimits,
} from '../domain/analysis-queue.ts';
import type { AnalysisQueueStore } from '../stores/analysis-queue-store.ts';
import { createDeadEntries } from './dead-entries.ts';
import { createOwnAnalysis, type OwnAnalysis, type Slot } from './own-analysis.ts';
import { type Outcome, planQueue } from './plan-queue.ts';

/** After this time without a renewal, other copies take the analyses of a copy for dead. */
const leaseMs = 30_000;
/** After this time without a renewal, the copy ends them itself: before the others, also when it notices late. */
const ownLeaseMs = 25_000;
/** Three renewals fit into a lease, so that a failed one does not lose it. */
const renewMs = 8000;
/** How often a copy looks whether a waiting analysis may run, and how soon it repeats a renewal that failed. */
const pollMs = 1000;
/** After this time without an answer of the database, an update counts as failed. */
const defaultAnswerMs = 3000;
/** More calls than can wait. */
const maxTogether = 1000;

export type SharedSemaphore = ReturnType<typeof createSharedSemaphore>;

/** An analysis that has its place in the queue, and how the latest ones failed. */
export type FoundAnalysis = { id: string | null; failures: readonly FailedEntry[] };

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
  /** Default: 3 s. */
  answerMs?: number;
}) {
  const { store, queues, limits, newId, monotonicMs, sleep, answerMs = defaultAnswerMs } = deps;
  const holder = newId();
  const own = new Map<string, OwnAnalysis>();
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

  function settle(outcome: Outcome): void {
    const analysis = own.get(outcome.id);
    // Its callers may have left while the queue was stored.
    if (!analysis) return;
    if (outcome.type === 'started') analysis.enter(outcome.callerId);
    else if (outcome.type === 'refused') analysis.fail(outcome.error);
    else if (outcome.type === 'elsewhere') analysis.giveWay();
    else lose(analysis);
  }

  function lose(analysis: OwnAnalysis): void {
    own.delete(analysis.id);
    analysis.lose();
  }

  /** When no renewal has succeeded for so long, other copies may soon drop the analyses of this one. */
  function loseUnlessRenewed(): void {
    if (monotonicMs() - renewedAtMs < ownLeaseMs) return;
    for (const analysis of [...own.values()]) if (analysis.state === 'running') lose(analysis);
  }

  async function updateQueue(): Promise<void> {
    for (;;) {
      const sentAtMs = monotonicMs();
      // Timers are not exact.
      const isRenewal = sentAtMs - renewedAtMs >= renewMs - pollMs;
      const { version, stored, living } = await readQueue();
      const analyses = [...own.values()];
      const failures = [...newFailures];
      const { queue, outcomes } = planQueue(living, { holder, analyses, failures, isRenewal }, limits);
      hasOthers = queue.entries.some((entry) => entry.holder !== holder);
      if (isEqual(stored, queue) || (await queues.replace(store, version, queue))) {
        if (isRenewal) renewedAtMs = sentAtMs;
        for (const failure of failures) newFailures.delete(failure);
        for (const analysis of analyses) if (analysis.state === 'new') analysis.state = 'waiting';
        outcomes.forEach(settle);
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
    within(answerMs, 'changing the queue of analyses', update(null)).then(
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

  /** Adds an analysis, and brings it into the queue. */
  function add(key: string, callers: WaitingCallers, signal: AbortSignal): OwnAnalysis {
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
    const analysis = createOwnAnalysis(
      { id, key, callers, signal },
      {
        // A caller that joins may be one that has nothing running.
        onCallersChange: () => void tryUpdate(),
        leave: () => void leave(),
        release,
      },
    );
    own.set(id, analysis);
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
    return analysis;
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
      return add(key, callers, signal).slot;
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

function isEqual(left: AnalysisQueue, right: AnalysisQueue): boolean {
  const content = ({ last, entries, served, failures }: AnalysisQueue) =>
    JSON.stringify([last, entries, served, failures]);
  return content(left) === content(right);
}
