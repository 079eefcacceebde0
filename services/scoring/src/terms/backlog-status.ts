import { describePause } from '@shelfwise/runtime/jobs/describe-pause';
import type { Worker } from '@shelfwise/runtime/jobs/worker';
import { hideDriverError } from '@shelfwise/runtime/mongo/database-errors';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';

/** How many terms and listings are due at a given time, counted up to a limit. */
export type Backlog = {
  countTerms(at: Date, limit: number): Promise<number>;
  countListings(at: Date, limit: number): Promise<number>;
};

/** Counting goes through an index entry by entry, and a health check must be cheap. */
const maxCounted = 10_000;

/**
 * Reports how many measurements and audits are waiting. Degraded while a worker is paused; a backlog alone is no
 * fault.
 */
export function backlogStatus(deps: {
  workers: readonly Pick<Worker, 'name' | 'pauseReason'>[];
  backlog: Backlog;
  now: () => Date;
}): StatusCheck {
  const { workers, backlog, now } = deps;
  return async () => {
    const at = now();
    const [terms, listings] = await hideDriverError(
      Promise.all([backlog.countTerms(at, maxCounted), backlog.countListings(at, maxCounted)]),
    );
    const pauses = workers.flatMap(describePause);
    const counts = [
      `${format(terms)} ${nounFor(terms, 'keyword')} ${terms === 1 ? 'waits' : 'wait'} to be measured`,
      `${format(listings)} ${nounFor(listings, 'listing')} to be audited`,
    ].join(', ');
    return {
      name: 'scoring run',
      state: pauses.length > 0 ? PartState.DEGRADED : PartState.OK,
      detail: [counts, ...pauses].join('; '),
      is_embedded: false,
    };
  };
}

function format(count: number): string {
  const text = count.toLocaleString('en-US');
  return count < maxCounted ? text : `${text} or more`;
}
