import type { Store } from '@shelfwise/facts/stores/store';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { SharedSemaphore } from './shared-semaphore.ts';

/** The number of running and waiting analyses of this copy. Always OK: a queue is no failure. */
export function createAnalysisStatus(
  semaphores: Readonly<Record<Store, Pick<SharedSemaphore, 'running' | 'waiting'>>>,
): StatusCheck {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return async () => {
    const all = Object.values(semaphores);
    const running = sum(all.map((semaphore) => semaphore.running()));
    const waiting = sum(all.map((semaphore) => semaphore.waiting()));
    const detail = `${running} running, ${waiting} waiting`;
    return { name: 'analyses', state: PartState.OK, detail, is_embedded: false };
  };
}
