import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import type { Listing, ListingPlan, ListingStore } from './listing-store.ts';

/**
 * A listing that this copy has claimed until `claimExpiresAt`. `reschedule` and `unschedule` write only while it holds
 * the claim. A reading is saved in any case, with the next plan.
 */
export type ClaimedListing = Pick<Listing, '_id' | 'app_id' | 'delisted_since'> & {
  failures: number;
  /** When it was due before the claim. */
  wasDueAt: Date;
  claimExpiresAt: Date;
};

type DueRow = Pick<Listing, '_id' | 'app_id' | 'delisted_since'> &
  Required<Pick<ListingPlan, 'planned_at' | 'due_at' | 'failures'>>;

export type DueListingStore = ReturnType<typeof createDueListingStore>;

/** Finds and claims due listings. The `due_at` of a claimed listing is the time when its claim expires. */
export function createDueListingStore({ model: listings }: ListingStore) {
  async function claimOne(id: number, dueAt: Date, expiresAt: Date): Promise<boolean> {
    const { modifiedCount } = await listings.updateOne(
      { _id: id, due_at: dueAt },
      { $set: { due_at: expiresAt } },
    );
    return modifiedCount === 1;
  }

  return {
    /** The storefront of the longest-due listing; null when none is due. */
    findOldestDue: async (store: Store, now: Date): Promise<Storefront | null> => {
      const oldest = await listings
        .findOne({ store, due_at: { $lte: now } })
        .sort({ due_at: 1 })
        .select({ country: 1, lang: 1 })
        .lean<Pick<Listing, 'country' | 'lang'>>();
      return oldest && { store, country: oldest.country, lang: oldest.lang };
    },

    /**
     * Claims up to `count` listings of a storefront: due ones first, then those planned for later but before
     * `planEnd`, so that one call reads as many as possible. The claims last until `expiresAt`. Returns fewer when
     * other copies claim some of them first.
     */
    async claim(
      storefront: Storefront,
      { count, now, planEnd, expiresAt }: { count: number; now: Date; planEnd: Date; expiresAt: Date },
    ): Promise<ClaimedListing[]> {
      // Some of these rows are claimed or wait for a retry. With twice as many as needed, enough others usually remain.
      const rows = await listings
        .find({ ...storefront, due_at: { $lt: planEnd } })
        .sort({ due_at: 1 })
        .limit(2 * count)
        .select({ app_id: 1, due_at: 1, planned_at: 1, failures: 1, delisted_since: 1 })
        .batchSize(singleBatchSize(2 * count))
        .lean<DueRow[]>();
      const free = rows.filter((row) => row.due_at <= now || isAsPlanned(row)).slice(0, count);
      const isClaimed = await Promise.all(free.map((row) => claimOne(row._id, row.due_at, expiresAt)));
      return free
        .filter((_, index) => isClaimed[index])
        .map((row) => ({
          _id: row._id,
          app_id: row.app_id,
          failures: row.failures,
          delisted_since: row.delisted_since,
          wasDueAt: row.due_at,
          claimExpiresAt: expiresAt,
        }));
    },

    /** Ends the claim with a new plan; does nothing when the listing was claimed or planned anew meanwhile. */
    async reschedule(
      { _id, claimExpiresAt }: ClaimedListing,
      plan: ListingPlan & { delisted_since?: Date },
    ): Promise<void> {
      await listings.updateOne({ _id, due_at: claimExpiresAt }, { $set: plan });
    },

    /**
     * Ends the daily readings of a listing. Returns false and changes nothing when an account started to track it, or
     * to have it as a competitor, at `trackedSince` or later, or the claim is lost.
     */
    async unschedule({ _id, claimExpiresAt }: ClaimedListing, trackedSince: Date): Promise<boolean> {
      const { matchedCount } = await listings.updateOne(
        { _id, due_at: claimExpiresAt, last_tracked_at: { $lt: trackedSince } },
        { $unset: { planned_at: '', due_at: '', failures: '' } },
      );
      return matchedCount === 1;
    },
  };
}

/** Whether the listing is neither claimed nor waiting for a retry: both move `due_at` away from `planned_at`. */
function isAsPlanned({ due_at: dueAt, planned_at: plannedAt }: DueRow): boolean {
  return dueAt.getTime() === plannedAt.getTime();
}
