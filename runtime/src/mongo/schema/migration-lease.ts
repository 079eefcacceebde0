import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { StartError } from '../../process/start-error.ts';
import { createLease, keepHeld } from '../lease.ts';

/** A process that died is replaced after this time. */
const leaseMs = 30_000;
const pollMs = 250;

/**
 * Runs work while no other process runs such work on the same database. Waits for another process to finish. The signal
 * of the work fires when `signal` does, or when another process has taken over.
 * @param onWaiting called once when another process holds the lease
 */
export async function withMigrationLease(
  connection: Connection,
  {
    signal,
    monotonicMs,
    onWaiting,
  }: { signal: AbortSignal; monotonicMs: () => number; onWaiting: () => void },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lease = createLease({ connection, name: 'migration', leaseMs, monotonicMs });
  for (let isFirst = true; !(await lease.hold()); isFirst = false) {
    if (isFirst) onWaiting();
    await sleep(pollMs, undefined, { signal });
  }
  const renewing = keepHeld(lease, { leaseMs, lostError: () => lostLease(connection) });
  try {
    await work(AbortSignal.any([signal, renewing.lost]));
  } finally {
    renewing.stop();
    // When it fails, the next process waits until the lease has expired.
    await lease.release().catch(() => {});
  }
}

function lostLease({ name }: Connection): StartError {
  return new StartError(
    `The migration of ${name} stopped, because the database did not answer for ${leaseMs / 1000} s or another process took over. Run "npm run migrate" again: it continues.`,
  );
}
