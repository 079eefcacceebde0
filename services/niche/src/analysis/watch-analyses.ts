import type { Store } from '@shelfwise/facts/stores/store';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import { Gauge } from 'prom-client';
import type { SharedSemaphore } from './shared-semaphore.ts';

type Semaphores = Readonly<Record<Store, Pick<SharedSemaphore, 'running' | 'waiting'>>>;

/** The number of running and waiting analyses of this copy. Always OK: a queue is no failure. */
export function createAnalysisStatus(semaphores: Semaphores): StatusCheck {
  const { ITUNES, GPLAY } = semaphores;
  return async () => {
    const detail = `${ITUNES.running() + GPLAY.running()} running, ${ITUNES.waiting() + GPLAY.waiting()} waiting`;
    return { name: 'analyses', state: PartState.OK, detail, is_embedded: false };
  };
}

/** Registers the gauge of the analyses of this copy. */
export function watchAnalyses({ registry }: Metrics, semaphores: Semaphores): void {
  new Gauge({
    name: 'shelfwise_niche_analyses',
    help: 'Analyses of niches that run or wait in this process',
    labelNames: ['store', 'state'],
    registers: [registry],
    collect() {
      for (const [store, { running, waiting }] of Object.entries(semaphores)) {
        this.set({ store, state: 'running' }, running());
        this.set({ store, state: 'waiting' }, waiting());
      }
    },
  });
}
