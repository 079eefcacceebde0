import { setMaxListeners } from 'node:events';
import type { Store } from '@shelfwise/facts/stores/store';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { withAnySignal } from '@shelfwise/runtime/concurrency/with-any-signal';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { type AnalysisStore, type Niche, nicheKey, type StoredAnalysis } from '../stores/analysis-store.ts';
import type { AnalyzeTopic } from './analyze-topic.ts';
import type { Slot } from './own-analysis.ts';
import { readTimeMs } from './read-time.ts';
import { createSharedAnalysis, type SharedAnalysis } from './shared-analysis.ts';
import type { SharedSemaphore } from './shared-semaphore.ts';

/** FRESH: started for this call. JOINED: started by another call, which this one waited for. CACHED: stored before. */
type Answer = { analysis: StoredAnalysis; origin: 'FRESH' | 'JOINED' | 'CACHED' };

/** How often a copy checks whether another copy has finished. */
const pollMs = 1000;
/** Reserved at the end of a caller's time for writing the history and sending the reply. */
const answerMs = 1000;

export type RunningAnalyses = ReturnType<typeof createRunningAnalyses>;

/**
 * Runs analyses. When several callers or copies of the service request the same one at the same time, it runs once:
 * callers of one copy share it by singleflight, copies by its place in the queue. An analysis that waits for its turn is
 * dropped when its callers have left; once it runs, it is finished and stored.
 */
export function createRunningAnalyses(deps: {
  analyzeTopic: AnalyzeTopic;
  analyses: Pick<AnalysisStore, 'findFresh' | 'save' | 'sweep'>;
  counters: Pick<CounterStore<'analysis'>, 'take'>;
  semaphores: Readonly<Record<Store, Pick<SharedSemaphore, 'acquire' | 'find'>>>;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { analyzeTopic, analyses, counters, semaphores, logger, now, sleep } = deps;
  const singleflight = createSingleflight<Answer | null, SharedAnalysis>(createSharedAnalysis);
  const stopping = new AbortController();
  // Each caller adds a listener; Node warns above ten.
  setMaxListeners(0, stopping.signal);
  /** By `nicheKey`: what this copy runs, or waits for and may run. */
  const underWay = new Map<string, { answer: Promise<unknown>; shared: SharedAnalysis }>();

  /**
   * Runs the analysis for the calls that share it, or waits for the result when another copy is running it. Null when no
   * copy runs it and `shared` is null: this call may not begin one.
   */
  async function runOrWait(
    niche: Niche,
    shared: SharedAnalysis | null,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const cached = await analyses.findFresh(niche, now());
    if (cached) return { analysis: cached, origin: 'CACHED' };
    // The analysis that this call has seen in another copy: only its failure concerns this call.
    let otherId: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      // Before the analysis, which is stored before its place is free.
      const { id, failures } = await semaphores[niche.storefront.store].find(nicheKey(niche));
      const failure = failures.find((failed) => failed.id === otherId);
      if (failure) throw new AppError(failure.code, failure.message);
      const analysis = await analyses.findFresh(niche, now());
      if (analysis) return { analysis, origin: 'JOINED' };
      if (id === null) {
        if (shared === null) return null;
        const answer = await analyzeInTurn(niche, shared, signal);
        if (answer) return answer;
      }
      otherId = id ?? otherId;
      await sleep(pollMs, signal);
    }
  }

  /** Null when another copy has the analysis, or took it over because this copy did not renew its place in time. */
  async function analyzeInTurn(
    niche: Niche,
    shared: SharedAnalysis,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const slot = await semaphores[niche.storefront.store].acquire(nicheKey(niche), shared.callers, signal);
    if (!slot) return null;
    let failure: AppError | null = null;
    try {
      // The last caller may have left in the moment when the slot was granted.
      signal.throwIfAborted();
      // Another copy may have finished before this one had its place.
      const stored = await analyses.findFresh(niche, now());
      if (stored) return { analysis: stored, origin: 'JOINED' };
      return await analyze(niche, shared, slot, signal);
    } catch (error) {
      if (slot.lost.aborted) return null;
      if (error instanceof AppError && error.code === 'ANALYSIS_FAILED') failure = error;
      throw error;
    } finally {
      await slot.release(failure);
    }
  }

  /** Runs the analysis and stores it. */
  async function analyze(
    niche: Niche,
    shared: SharedAnalysis,
    { callerId, lost }: Slot,
    canceled: AbortSignal,
  ): Promise<Answer> {
    const signal = AbortSignal.any([canceled, lost]);
    const { requestId, endsAtMs } = shared.start(callerId);
    keepRunning(niche);
    const log = logger.child({ request_id: requestId, ...niche.storefront, topic: niche.topic });
    const readMs = readTimeMs(endsAtMs - now().getTime());
    try {
      const result = await analyzeTopic(niche, { requestId, callerId, readMs, signal, log });
      signal.throwIfAborted();
      const analysis = await analyses.save(niche, await counters.take('analysis', 1), result, now());
      log.info(
        { clusters: result.clusters.length, keywords: result.total_keywords },
        'niche analysis stored',
      );
      return { analysis, origin: 'FRESH' };
    } catch (error) {
      logFailure(log, error, signal.aborted);
      throw error;
    } finally {
      if (!signal.aborted) await sweep(log);
    }
  }

  /** Deletes old analyses, more than one adds. Runs after every analysis, also a failed one. */
  async function sweep(log: Logger): Promise<void> {
    try {
      await analyses.sweep(now());
    } catch (error) {
      log.warn({ err: error }, 'old niche analyses could not be deleted; the next analysis retries');
    }
  }

  /** Registers an analysis as under way. `singleflight` calls it only when this copy has none of the niche. */
  function start(niche: Niche, shared: SharedAnalysis, signal: AbortSignal): Promise<Answer | null> {
    const key = nicheKey(niche);
    const answer = runOrWait(niche, shared, signal);
    const started = { answer, shared };
    // A dropped analysis may still be ending while the next one of the niche has started.
    const forget = () => underWay.get(key) === started && underWay.delete(key);
    underWay.set(key, started);
    answer.then(forget, forget);
    return answer;
  }

  /** Singleflight aborts work that its last caller leaves. This join stays, so the analysis outlives its callers. */
  function keepRunning(niche: Niche): void {
    const notStarted = () => Promise.reject(new Error('the analysis is not under way'));
    singleflight.join(nicheKey(niche), stopping.signal, notStarted).catch(() => {});
  }

  /** Waits until a second before the caller's deadline; less when the caller leaves or this copy stops. */
  async function withinCall<Result>(
    call: CallContext,
    isRunning: () => boolean,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const timeUp = new Error('the time of the call is up');
    try {
      return await withAnySignal([call.signal, stopping.signal], (signal) =>
        withDeadline({ ...call, signal }, { reserveMs: answerMs, error: timeUp, sleep }, work),
      );
    } catch (error) {
      throw error === timeUp ? outOfTime(isRunning()) : error;
    }
  }

  return {
    /**
     * Waits for the analysis of a niche that this copy or another one runs. If none does, starts it, or returns null
     * when `mayBegin` is false.
     * @throws ANALYSIS_FAILED; SERVICE_UNAVAILABLE when it has not ended a second before the caller's deadline (if it
     *   runs, it continues), when too many analyses of the account or in all wait, or when the service is stopping
     */
    async join(
      niche: Niche,
      call: CallContext & { accountId: string },
      mayBegin: boolean,
    ): Promise<Answer | null> {
      stopping.signal.throwIfAborted();
      const key = nicheKey(niche);
      const isRunning = () => underWay.get(key)?.shared.isRunning() ?? false;
      // It does not join an analysis that only waits: it must not keep that one waiting when the others leave.
      if (!mayBegin && !isRunning())
        return await withinCall(call, isRunning, (signal) =>
          singleflight.join(`wait:${key}`, signal, (shared) => runOrWait(niche, null, shared)),
        );
      const { requestId, accountId, onStarted, deadline } = call;
      // In the time of this service's clock; deadlines are in system time.
      const endsAtMs = now().getTime() + deadline.getTime() - Date.now();
      const waitingCall = { requestId, accountId, endsAtMs, onStarted };
      let leave = () => {};
      let isStarter = () => false;
      const onJoin = (shared: SharedAnalysis) => {
        leave = shared.join(waitingCall);
        isStarter = () => shared.isStarter(waitingCall);
      };
      try {
        const answer = await withinCall(call, isRunning, (signal) =>
          singleflight.join(key, signal, (started, shared) => start(niche, shared, started), onJoin),
        );
        return answer?.origin === 'FRESH' && !isStarter() ? { ...answer, origin: 'JOINED' } : answer;
      } finally {
        leave();
      }
    },

    /** Aborts all running analyses. Callers get an error immediately, and other copies may start over. */
    async stop(): Promise<void> {
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await Promise.allSettled([...underWay.values()].map(({ answer }) => answer));
    },
  };
}

/** @param isRunning whether the analysis runs in this copy; otherwise it waits, or another copy has it */
function outOfTime(isRunning: boolean): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    isRunning
      ? 'The analysis takes longer than this call can wait. It continues in the background: try again in a minute.'
      : 'This call ended while the analysis waited for its turn, or for another copy of the service. Try again in a few minutes.',
  );
}

/** Logs a failure here, because the callers may have left and miss the error. */
function logFailure(log: Logger, error: unknown, isAborted: boolean): void {
  if (isAborted) log.info('niche analysis aborted');
  else if (error instanceof AppError)
    log.warn({ code: error.code, reason: error.message }, 'niche analysis failed');
  else log.error({ err: error }, 'niche analysis failed');
}
