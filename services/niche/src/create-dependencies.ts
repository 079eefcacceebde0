import { createSourceGuard } from '@shelfwise/facts/source-guard';
import type { Store } from '@shelfwise/facts/stores/store';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import type { Connection } from 'mongoose';
import { createAnalyzeTopic } from './analysis/analyze-topic.ts';
import type { StoreFetchClient } from './analysis/query-store.ts';
import { createRunningAnalyses } from './analysis/running-analyses.ts';
import type { TermScorer } from './analysis/score-candidates.ts';
import { createSharedSemaphore } from './analysis/shared-semaphore.ts';
import { createAnalysisQueueStore } from './stores/analysis-queue-store.ts';
import { createAnalysisStore } from './stores/analysis-store.ts';
import { createHistoryStore } from './stores/history-store.ts';
import { createProgressStore } from './stores/progress-store.ts';

/**
 * Per store, in all copies of the service together. More analyses at a time would only compete for the same store
 * budget, with each other and with other callers. The calls of an account end at their deadline, so that few of many
 * waiting analyses would run at all.
 */
const perStore = { running: 2, runningOfCaller: 1, ofCaller: 3, waiting: 100 };

export function createStores(connection: Connection) {
  const counters = createCounterStore<'analysis' | 'niche'>(connection);
  return {
    counters,
    analyses: createAnalysisStore(connection),
    queues: createAnalysisQueueStore(connection),
    history: createHistoryStore(connection, counters),
    progress: createProgressStore(connection),
  };
}

/** Creates the dependencies of the handlers and the health check. */
export function createDependencies(deps: {
  connection: Connection;
  scoring: TermScorer;
  storeFetch: StoreFetchClient;
  logger: Logger;
  progressLogger: Logger;
  /** How long an account's history is kept, in days; null: forever. */
  historyDays: number | null;
  newId: () => string;
  now: () => Date;
  /** A clock that is never set. */
  monotonicMs: () => number;
  sleep: Sleep;
}) {
  const { connection, scoring, storeFetch, newId, now, monotonicMs, sleep } = deps;
  const { counters, analyses, queues, history, progress } = createStores(connection);
  const createStoreSemaphore = (store: Store) =>
    createSharedSemaphore({ store, queues, limits: perStore, newId, monotonicMs, sleep });
  const semaphores = { ITUNES: createStoreSemaphore('ITUNES'), GPLAY: createStoreSemaphore('GPLAY') };
  const sourceGuard = createSourceGuard({ connection });
  const runningAnalyses = createRunningAnalyses({
    analyzeTopic: createAnalyzeTopic({ storeFetch, scoring, sourceGuard, now, sleep }),
    analyses,
    progress,
    counters,
    semaphores,
    logger: deps.progressLogger,
    now,
    sleep,
  });
  const sweep = createSweep({
    expiring: [{ name: 'niche history', keptDays: deps.historyDays, deleteBefore: history.deleteBefore }],
    logger: deps.logger,
    now,
    sleep,
  });
  return { runningAnalyses, analyses, history, queues, progress, semaphores, sweep };
}
