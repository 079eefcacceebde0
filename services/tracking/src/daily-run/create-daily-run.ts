import { type Store, stores } from '@shelfwise/facts/stores/store';
import { createDailyRun } from '@shelfwise/runtime/jobs/daily-run';
import { createDailyRunMetrics } from '@shelfwise/runtime/jobs/daily-run-metrics';
import { createProgressCounter } from '@shelfwise/runtime/jobs/progress-counter';
import { createWorker, type Worker } from '@shelfwise/runtime/jobs/worker';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { createDueRun } from './due-run.ts';
import { createListingJobs } from './listing-jobs.ts';
import { createSnapshotJobs } from './snapshot-jobs.ts';

/** What its parts need, except what is made here for each store. */
type Deps = Omit<Parameters<typeof createListingJobs>[0], 'store'> &
  Omit<Parameters<typeof createSnapshotJobs>[0], 'store' | 'onFailure'> &
  Omit<Parameters<typeof createWorker>[0], 'source' | 'metrics'> &
  Omit<Parameters<typeof createDueRun>[0], 'workers'> & {
    metrics: Metrics;
    isInDailyRun: boolean;
  };

/**
 * The daily run of tracking. Each store has two workers: one for result pages, one for listings. The progress counts
 * keywords only. `dueRun` is an operator's run, which the workers for result pages of all copies serve.
 */
export function createTrackingDailyRun(deps: Deps) {
  const dueRun = createDueRun({ ...deps, workers: () => snapshotWorkers });
  const { onFailure } = dueRun;
  const snapshotWorkers: Worker[] = stores.map((store) =>
    createWorker({ ...deps, source: createSnapshotJobs({ ...deps, store, onFailure }) }),
  );
  const listingWorkers = stores.map((store) =>
    createWorker({ ...deps, source: createListingJobs({ ...deps, store }) }),
  );
  const counter = createProgressCounter<Store>({
    ...deps,
    groups: stores,
    planned: deps.dueKeywordMarkets,
    metrics: createDailyRunMetrics(deps.metrics, {
      items: 'keywords',
      label: 'store',
      readToday: 'Tracked keywords that have a snapshot of this UTC day',
    }),
  });
  const dailyRun = createDailyRun({
    isOn: deps.isInDailyRun,
    workers: [...snapshotWorkers, ...listingWorkers],
    item: 'keyword',
    background: [counter],
    readProgress: counter.latest,
  });
  const wakeAll = (workers: readonly Worker[]) => () => {
    for (const worker of workers) worker.wake();
  };
  return {
    dailyRun,
    dueRun,
    /** To be called when this process has made result pages due. */
    wakeSnapshots: wakeAll(snapshotWorkers),
    /** To be called when this process has made listings due. */
    wakeListings: wakeAll(listingWorkers),
  };
}
