import { setMaxListeners } from 'node:events';
import type { Store } from '@shelfwise/facts/stores/store';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { untilAborted } from '@shelfwise/runtime/concurrency/until-aborted';
import { withAnySignal } from '@shelfwise/runtime/concurrency/with-any-signal';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { type AnalysisStore, type Niche, nicheKey, type StoredAnalysis } from '../stores/analysis-store.ts';
import type { Progress, ProgressStore } from '../stores/progress-store.ts';
import type { AnalyzeTopic } from './analyze-topic.ts';
import { readTimeMs } from './read-time.ts';
import { createSharedAnalysis, type SharedAnalysis } from './shared-analysis.ts';
import type { SharedSemaphore } from './shared-semaphore.ts';

/** FRESH: started for this call. JOINED: started by another call, which this one waited for. */
type Answer = { analysis: StoredAnalysis; origin: 'FRESH' | 'JOINED' };

type JoiningCall = CallContext & { accountId: string };

/** How often a copy checks whether another copy has finished. */
const pollMs = 1000;
/** Reserved at the end of a caller's time for writing the history and sending the reply. */
const answerMs = 1000;

export type RunningAnalyses = ReturnType<typeof createRunningAnalyses>;

/**
 * Runs analyses, each once: callers of one copy share it, copies by the entry in their queue. One that waits for its
 * turn is dropped when its callers have left; once it runs, it is finished and stored.
 */
export function createRunningAnalyses(deps: {
  analyzeTopic: AnalyzeTopic;
  analyses: Pick<AnalysisStore, 'findFresh' | 'save' | 'sweep'>;
  progress: Pick<ProgressStore, 'save' | 'end'>;
  counters: Pick<CounterStore<'analysis'>, 'take'>;
  semaphores: Readonly<Record<Store, Pick<SharedSemaphore, 'run' | 'find'>>>;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { analyzeTopic, analyses, progress, counters, semaphores, logger, now, sleep } = deps;
  const stopping = new AbortController();
  // Each caller adds a listener; Node warns above ten.
  setMaxListeners(0, stopping.signal);
  /** By `nicheKey`: what this copy runs, or waits for and may run. */
  const underWay = new Map<string, { answer: Promise<Answer | null>; shared: SharedAnalysis }>();

  /**
   * Runs the analysis for the calls that share it, or waits for that of another copy. Null when no copy runs it and
   * `shared` is null: this call may not begin one.
   */
  async function runOrWait(
    niche: Niche,
    shared: SharedAnalysis | null,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const semaphore = semaphores[niche.storefront.store];
    // The analysis that this call has seen in another copy: only its failure counts here.
    let otherId: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      // Before the analysis, which is stored before its entry is removed.
      const { id, failures } = await semaphore.find(nicheKey(niche));
      const failure = failures.find((failed) => failed.id === otherId);
      if (failure) throw new AppError(failure.code, failure.message);
      if (id === null) {
        const analysis = await analyses.findFresh(niche, now());
        if (analysis) return { analysis, origin: 'JOINED' };
        if (shared === null) return null;
        const answer = await semaphore.run(nicheKey(niche), shared.callers, signal, (callerId, running) =>
          analyze(niche, shared, callerId, running),
        );
        if (answer) return answer;
      }
      otherId = id ?? otherId;
      await sleep(pollMs, signal);
    }
  }

  /** Runs the analysis in the turn of an account, and stores it. */
  async function analyze(
    niche: Niche,
    shared: SharedAnalysis,
    callerId: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { requestId, endsAtMs } = shared.start(callerId);
    const log = logger.child({ request_id: requestId, ...niche.storefront, topic: niche.topic });
    const readMs = readTimeMs(endsAtMs - now().getTime());
    // In order, so that none is written after the end.
    let saving = Promise.resolve();
    try {
      const onProgress = (reached: Progress) => {
        saving = saving
          .then(() => progress.save(niche, reached, now()))
          .catch((err: unknown) => {
            log.debug({ err }, 'the progress of a niche analysis could not be saved; the analysis goes on');
          });
      };
      const result = await analyzeTopic(niche, { requestId, callerId, readMs, signal, log, onProgress });
      signal.throwIfAborted();
      const analysis = await analyses.save(niche, await counters.take('analysis', 1), result, now());
      log.info(
        { clusters: result.clusters.length, keywords: result.total_keywords },
        'niche analysis stored',
      );
      return { analysis, origin: 'FRESH' };
    } catch (error) {
      // Here, because the callers may have left.
      if (signal.aborted) log.info('niche analysis aborted');
      else if (error instanceof AppError)
        log.warn({ code: error.code, reason: error.message }, 'niche analysis failed');
      else log.error({ err: error }, 'niche analysis failed');
      throw error;
    } finally {
      await saving;
      // It deletes more than one analysis adds.
      if (!signal.aborted)
        await Promise.all([analyses.sweep(now()), progress.end(niche, now())]).catch((err: unknown) => {
          log.warn({ err }, 'old niche analyses could not be deleted; the next analysis retries');
        });
    }
  }

  /** What is under way in this copy for a niche, from now on. */
  function findOrStart(niche: Niche) {
    const key = nicheKey(niche);
    const found = underWay.get(key);
    if (found && !found.shared.signal.aborted) return found;
    const shared = createSharedAnalysis();
    const started = { answer: runOrWait(niche, shared, shared.signal), shared };
    // A dropped analysis may still be ending while the next one of the niche has started.
    const forget = () => underWay.get(key) === started && underWay.delete(key);
    underWay.set(key, started);
    started.answer.then(forget, forget);
    return started;
  }

  const isRunning = (niche: Niche) => underWay.get(nicheKey(niche))?.shared.isRunning() ?? false;

  async function joinUntil(
    signal: AbortSignal,
    niche: Niche,
    { requestId, accountId, onStarted, deadline }: JoiningCall,
    mayBegin: boolean,
  ): Promise<Answer | null> {
    signal.throwIfAborted();
    // It does not join a waiting analysis, which would then go on waiting when the others leave.
    if (!mayBegin && !isRunning(niche)) return runOrWait(niche, null, signal);
    // In the time of this service's clock; deadlines are in system time.
    const endsAtMs = now().getTime() + deadline.getTime() - Date.now();
    const call = { requestId, accountId, endsAtMs, onStarted };
    const { answer, shared } = findOrStart(niche);
    const leave = shared.join(call);
    try {
      const result = await untilAborted(answer, signal);
      return result && { ...result, origin: shared.isStarter(call) ? result.origin : 'JOINED' };
    } finally {
      leave();
    }
  }

  return {
    /**
     * Waits for the analysis of a niche that this copy or another one runs. If none does, starts it, or returns null
     * when `mayBegin` is false.
     * @throws ANALYSIS_FAILED
     * @throws SERVICE_UNAVAILABLE a second before the caller's deadline (it continues if it runs), when too many wait,
     *   or when the service is stopping
     */
    async join(niche: Niche, call: JoiningCall, mayBegin: boolean): Promise<Answer | null> {
      stopping.signal.throwIfAborted();
      const timeUp = new Error('the time of the call is up');
      const limit = { reserveMs: answerMs, error: timeUp, sleep };
      try {
        return await withAnySignal([call.signal, stopping.signal], (signal) =>
          withDeadline({ ...call, signal }, limit, (limited) => joinUntil(limited, niche, call, mayBegin)),
        );
      } catch (error) {
        throw error === timeUp ? outOfTime(isRunning(niche)) : error;
      }
    },

    /** Aborts all running analyses. Callers get an error immediately, and other copies may start over. */
    async stop(): Promise<void> {
      const error = new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.');
      stopping.abort(error);
      for (const { shared } of underWay.values()) shared.abort(error);
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
