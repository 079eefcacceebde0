import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type Claimed, createJobQueue, type DueJob } from '@shelfwise/runtime/jobs/job-queue';
import type { Listing, ListingPlan, ListingStore } from './listing-store.ts';

type DueListing = DueJob &
  Pick<Listing, '_id' | 'country' | 'lang' | 'app_id' | 'claimed_by'> &
  Required<Pick<ListingPlan, 'planned_at'>>;

/** A listing that this copy has claimed for reading. A reading is saved even when the claim is lost. */
export type ClaimedListing = Claimed<DueListing>;

export type DueListingStore = ReturnType<typeof createDueListingStore>;

/** The listings in the daily run. Indexes: `store, due_at` and `store, country, lang, due_at`. */
export function createDueListingStore({ model }: Pick<ListingStore, 'model'>) {
  const queue = createJobQueue<DueListing, Listing>({
    model,
    fields: ['country', 'lang', 'app_id', 'planned_at', 'claimed_by'],
  });
  return {
    queue,

    /** Up to `count` listings of a storefront: due ones first, then those planned for later but before `planEnd`. */
    async listGroup(
      storefront: Storefront,
      { count, at, planEnd }: { count: number; at: Date; planEnd: Date },
    ): Promise<DueListing[]> {
      // Some of these are claimed or wait for a retry. With twice as many as needed, enough others usually remain.
      const listings = await queue.listDue(storefront, new Date(planEnd.getTime() - 1), 2 * count);
      return listings.filter((listing) => listing.due_at <= at || isAsPlanned(listing)).slice(0, count);
    },
  };
}

/** Whether the listing is neither claimed nor waiting for a retry, which moves `due_at` away from `planned_at`. */
function isAsPlanned({ due_at: dueAt, planned_at: plannedAt, claimed_by: claim }: DueListing): boolean {
  return claim === undefined && dueAt.getTime() === plannedAt.getTime();
}
