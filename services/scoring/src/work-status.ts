import { describePause } from '@shelfwise/runtime/jobs/describe-pause';
import type { Worker } from '@shelfwise/runtime/jobs/worker';
import { hideDriverError } from '@shelfwise/runtime/mongo/database-errors';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';

/** How many are due at a moment, counted up to a limit. */
export type Waiting = {
  countTerms(at: Date, limit: number): Promise<number>;
  countListings(at: Date, limit: number): Promise<number>;
};

/** Counting goes through an index entry by entry: some 20 ms for so many. */
const countedAtMost = 100_000;

/** What waits to be measured and audited. Degraded while a worker rests; a backlog alone is work, not trouble. */
export function workStatus(deps: {
  workers: readonly Pick<Worker, 'name' | 'pauseReason'>[];
  waiting: Waiting;
  now: () => Date;
}): StatusCheck {
  const { workers, waiting, now } = deps;
  return async () => {
    const at = now();
    const [terms, listings] = await hideDriverError(
      Promise.all([waiting.countTerms(at, countedAtMost), waiting.countListings(at, countedAtMost)]),
    );
    const pauses = workers.flatMap(describePause);
    const counts = `${format(terms)} keywords wait to be measured, ${format(listings)} listings to be audited`;
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
  return count < countedAtMost ? text : `${text} or more`;
}
