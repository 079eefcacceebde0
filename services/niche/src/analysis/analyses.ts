import { setMaxListeners } from 'node:events';
import type { Store } from '@shelfwise/facts/store';
import { AppError } from '@shelfwise/runtime/errors';
import { withinDeadline } from '@shelfwise/runtime/grpc-client';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import type { CounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import { createSingleflight } from '@shelfwise/runtime/singleflight';
import { type AnalysisStore, type Niche, nicheKey, type StoredAnalysis } from '../stores/analysis-store.ts';
import type { LeaseStore } from '../stores/lease-store.ts';
import type { AnalyzeTopic } from './analyze-topic.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { readingMs } from './reading-ms.ts';
import type { Turns } from './turns.ts';
import { withinTime } from './within-time.ts';

/** Begun for this call, begun for another and waited for, or there before. */
type Settled = { analysis: StoredAnalysis; origin: 'FRESH' | 'JOINED' | 'KEPT' };

/** How often it is looked whether another copy of the service is done. */
const pollMs = 1000;
/** What is left of a caller's time to write its history and to answer. */
const answerMs = 1000;
/** Longer than any caller's deadline. */
const longestWaitMs = 60 * 60_000;

export type Analyses = ReturnType<typeof createAnalyses>;

/**
 * The analyses that are being made. However many callers and copies of the service want the same one at the same
 * time, it is made once; it is finished and kept when its callers have gone.
 */
export function createAnalyses(deps: {
  analyzeTopic: AnalyzeTopic;
  analyses: AnalysisStore;
  leases: LeaseStore;
  leaseKeeper: LeaseKeeper;
  counters: CounterStore<'analysis'>;
  turns: Readonly<Record<Store, Turns>>;
  logger: Logger;
  newId: () => string;
  now: () => Date;
  sleep: Sleep;
}) {
  const { analyzeTopic, analyses, leases, leaseKeeper, counters, turns, now, sleep } = deps;
  const flights = createSingleflight<Settled>();
  const stopping = new AbortController();
  // Each caller listens; Node takes more than ten for a mistake.
  setMaxListeners(0, stopping.signal);
  const underWay = new Map<string, Promise<unknown>>();

  /** Makes the analysis, unless another copy is at it: then its result is waited for. */
  async function settle(niche: Niche, call: CallContext, signal: AbortSignal): Promise<Settled> {
    const holder = deps.newId();
    // By this service's clock, because the deadline is by the one on the wall.
    const callerEndsAt = now().getTime() + call.deadline.getTime() - Date.now();
    let awaited: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      const lease = await leases.find(niche, now());
      if (lease?.failure && lease.holder === awaited) throw lease.failure;
      const analysis = await analyses.findFresh(niche, now());
      if (analysis) return { analysis, origin: awaited === null ? 'KEPT' : 'JOINED' };
      if ((lease === null || lease.isOver) && (await leaseKeeper.take(niche, holder))) {
        const made = await leaseKeeper.hold(niche, holder, signal, (held) =>
          make(niche, call, callerEndsAt, held),
        );
        if (made) return made;
      }
      awaited = lease?.holder ?? awaited;
      await sleep(pollMs, signal);
    }
  }

  async function make(
    niche: Niche,
    call: CallContext,
    callerEndsAt: number,
    signal: AbortSignal,
  ): Promise<Settled> {
    // Another copy may have finished it between the look and the lease.
    const kept = await analyses.findFresh(niche, now());
    if (kept) return { analysis: kept, origin: 'JOINED' };
    const end = await turns[niche.storefront.store].take(signal);
    const log = deps.logger.child({ request_id: call.requestId, ...niche.storefront, topic: niche.topic });
    const readMs = readingMs(callerEndsAt - now().getTime());
    try {
      const finding = await analyzeTopic(niche, { requestId: call.requestId, readMs, signal, log });
      signal.throwIfAborted();
      const analysis = await analyses.save(niche, await counters.take('analysis', 1), finding, now());
      log.info(
        { clusters: finding.clusters.length, keywords: finding.total_keywords },
        'niche analysis kept',
      );
      return { analysis, origin: 'FRESH' };
    } catch (error) {
      tellFailure(log, error, signal.aborted);
      throw error;
    } finally {
      end();
      if (!signal.aborted) await sweep(log);
    }
  }

  /** What is old goes bit by bit: with each analysis that comes, also with one that fails, more of it than that adds. */
  async function sweep(log: Logger): Promise<void> {
    try {
      await Promise.all([analyses.sweep(now()), leases.sweep(now())]);
    } catch (error) {
      log.warn({ err: error }, 'old niche analyses could not be deleted');
    }
  }

  /** One at a time for a niche: `flights` sees to that. */
  function board(niche: Niche, call: CallContext, signal: AbortSignal): Promise<Settled> {
    const key = nicheKey(niche);
    const settled = settle(niche, call, signal);
    const forget = () => underWay.delete(key);
    underWay.set(key, settled);
    settled.then(forget, forget);
    return settled;
  }

  return {
    /** Whether the analysis of a niche is being made, or waits for its turn, in this copy of the service or another. */
    async isUnderWay(niche: Niche): Promise<boolean> {
      if (underWay.has(nicheKey(niche))) return true;
      const lease = await leases.find(niche, now());
      return lease !== null && !lease.isOver;
    },

    /**
     * The analysis of a niche, when it is there.
     * @throws ANALYSIS_FAILED, or SERVICE_UNAVAILABLE when it takes longer than the caller waits (it goes on then), when
     *   too many wait, or when the service is stopping
     */
    async join(niche: Niche, call: CallContext): Promise<Settled> {
      stopping.signal.throwIfAborted();
      let isFirst = false;
      const begin = (signal: AbortSignal) => {
        isFirst = true;
        return board(niche, call, signal);
      };
      const key = nicheKey(niche);
      // Nobody but the end of the service ends this one's wait, so that the analysis outlives its callers.
      flights.join(key, stopping.signal, begin).catch(() => {});
      const { deadline } = withinDeadline(call, longestWaitMs, answerMs);
      const signal = AbortSignal.any([call.signal, stopping.signal]);
      const settled = await withinTime(
        { ms: deadline.getTime() - Date.now(), late: goesOn(), sleep, signal },
        (waiting) => flights.join(key, waiting, begin),
      );
      return !isFirst && settled.origin === 'FRESH' ? { ...settled, origin: 'JOINED' } : settled;
    },

    /** Gives up what is being made: callers are told at once, and other copies may make it. */
    async stop(): Promise<void> {
      stopping.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await Promise.allSettled(underWay.values());
    },
  };
}

function goesOn(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The analysis takes longer than this call waits. It goes on and is kept: ask again in a minute.',
  );
}

/** Callers may have gone by then: nobody else would tell. */
function tellFailure(log: Logger, error: unknown, isGivenUp: boolean): void {
  if (isGivenUp) log.info('niche analysis given up');
  else if (error instanceof AppError)
    log.warn({ code: error.code, reason: error.message }, 'niche analysis failed');
  else log.error({ err: error }, 'niche analysis failed');
}
