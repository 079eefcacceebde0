import { planUnplanned } from '../domain/listing-plan.ts';
import type { DueListingStore } from '../stores/due-listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

const batchSize = 500;

export type ListingPlanner = ReturnType<typeof createListingPlanner>;

/** Plans readings of what was tracked before there was a daily run. */
export function createListingPlanner(deps: {
  dueListings: DueListingStore;
  trackedApps: TrackedAppStore;
  now: () => Date;
}) {
  const { dueListings, trackedApps, now } = deps;
  return {
    /**
     * Walks once over all listings, in the order of their ids: one query per 500 of them, one more where some are not
     * planned, one write for each that has to be.
     * @throws the signal's reason
     */
    async planAll(signal: AbortSignal): Promise<void> {
      let last = 0;
      for (;;) {
        signal.throwIfAborted();
        const rows = await dueListings.listAfter(last, batchSize);
        const unplanned = rows.filter(({ planned_at }) => !planned_at);
        const tracked = await trackedApps.findTracked(unplanned.map(({ _id }) => _id));
        for (const { _id, subtitle, read_at } of unplanned)
          if (tracked.has(_id))
            await dueListings.planFirst(
              _id,
              planUnplanned(_id, { subtitle: subtitle ?? null, read_at }, now()),
            );
        const end = rows.at(-1);
        if (!end || rows.length < batchSize) return;
        last = end._id;
      }
    },
  };
}
