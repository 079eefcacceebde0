import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import type { Logger } from '@shelfwise/runtime/logger';
import { planUnplanned } from '../domain/listing-plan.ts';
import { findWatched } from '../find-watched.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { DueListingStore, WalkedListing } from '../stores/due-listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

const listingsAtOnce = 200;

/**
 * Plans the listings of a database that was begun before there was a daily run. It walks over all of them, in
 * the order of their ids; those that nobody watches stay without a plan.
 */
export function createListingPlanner(deps: {
  dueListings: DueListingStore;
  trackedApps: TrackedAppStore;
  competitors: CompetitorStore;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { dueListings, logger, now, sleep } = deps;

  async function planAll(signal: AbortSignal): Promise<void> {
    let planned = 0;
    for (let last = 0; ; ) {
      if (signal.aborted) return;
      const some = await dueListings.listAfter(last, listingsAtOnce);
      const end = some.at(-1);
      if (!end) break;
      planned += await planWatched(some.filter(({ due_at: dueAt }) => !dueAt));
      last = end._id;
    }
    if (planned > 0)
      logger.info({ listings: planned }, 'planned the readings of listings of an earlier version');
  }

  async function planWatched(unplanned: readonly WalkedListing[]): Promise<number> {
    if (unplanned.length === 0) return 0;
    const ids = await findWatched(
      deps,
      unplanned.map(({ _id }) => _id),
    );
    const watched = unplanned.filter(({ _id }) => ids.has(_id));
    for (const { _id, subtitle, read_at: readAt } of watched)
      await dueListings.planFirst(
        _id,
        planUnplanned(_id, { subtitle: subtitle ?? null, read_at: readAt }, now()),
      );
    return watched.length;
  }

  return {
    /** Ends when all are planned or the signal fires; a database that is away is tried again. */
    run: (signal: AbortSignal) =>
      retryUntilDone(() => planAll(signal), {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'readings of listings could not be planned; trying again'),
      }),
  };
}
