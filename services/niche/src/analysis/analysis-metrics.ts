import type { Store } from '@shelfwise/facts/stores/store';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { Gauge } from 'prom-client';
import type { SharedSemaphore } from './shared-semaphore.ts';

/** Registers the gauge of the analyses of this copy. */
export function watchAnalyses(
  { registry }: Metrics,
  semaphores: Readonly<Record<Store, Pick<SharedSemaphore, 'running' | 'waiting'>>>,
): void {
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
