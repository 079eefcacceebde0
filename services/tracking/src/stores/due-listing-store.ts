import type { Store } from '@shelfwise/facts/store';
import type { Storefront } from '@shelfwise/facts/storefront';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import type { Listing, ListingPlan, ListingStore } from './listing-store.ts';

/**
 * A listing that was taken to be read. Until `until` it is nobody else's, and its plan is written only while it is
 * ours; what was read of it is kept all the same.
 */
export type TakenListing = Pick<Listing, '_id' | 'app_id' | 'gone_since'> & {
  failures: number;
  /** when it had been due */
  wasDueAt: Date;
  until: Date;
};

type DueRow = Pick<Listing, '_id' | 'app_id' | 'planned_at' | 'failures' | 'gone_since'> & { due_at: Date };

export type DueListingStore = ReturnType<typeof createDueListingStore>;

/** Which listings are to be read again, and who reads them: the moment in `due_at` is the lease. */
export function createDueListingStore({ model: listings }: ListingStore) {
  async function takeOne(id: number, dueAt: Date, until: Date): Promise<boolean> {
    const { modifiedCount } = await listings.updateOne(
      { _id: id, due_at: dueAt },
      { $set: { due_at: until } },
    );
    return modifiedCount === 1;
  }

  return {
    /** The storefront of the listing that has been due for longest; null when none is due. */
    findOldest: async (store: Store, now: Date): Promise<Storefront | null> => {
      const oldest = await listings
        .findOne({ store, due_at: { $lte: now } })
        .sort({ due_at: 1 })
        .select({ country: 1, lang: 1 })
        .lean<Pick<Listing, 'country' | 'lang'>>();
      return oldest && { store, country: oldest.country, lang: oldest.lang };
    },

    /**
     * Takes up to `count` listings of a storefront: those that are due, then those that are planned for later than
     * that but before `planEnd`, so that one call reads as many as it can. Fewer when others are faster.
     */
    async take(
      storefront: Storefront,
      { count, now, planEnd, until }: { count: number; now: Date; planEnd: Date; until: Date },
    ): Promise<TakenListing[]> {
      // Some of those that are not due yet are taken or have failed; twice as many leave enough others.
      const rows = await listings
        .find({ ...storefront, due_at: { $lt: planEnd } })
        .sort({ due_at: 1 })
        .limit(2 * count)
        .select({ app_id: 1, due_at: 1, planned_at: 1, failures: 1, gone_since: 1 })
        .batchSize(oneBatch(2 * count))
        .lean<DueRow[]>();
      const free = rows.filter((row) => row.due_at <= now || isAsPlanned(row)).slice(0, count);
      const taken = await Promise.all(free.map(({ _id, due_at: dueAt }) => takeOne(_id, dueAt, until)));
      return free
        .filter((_, index) => taken[index])
        .map(({ _id, app_id: appId, failures, gone_since: goneSince, due_at: dueAt }) => ({
          _id,
          app_id: appId,
          failures: failures ?? 0,
          gone_since: goneSince ?? null,
          wasDueAt: dueAt,
          until,
        }));
    },

    /** Plans a listing anew; nothing happens when it is not ours any more. */
    async release({ _id, until }: TakenListing, plan: ListingPlan & { gone_since?: Date }): Promise<void> {
      await listings.updateOne({ _id, due_at: until }, { $set: plan });
    },

    /**
     * Ends the readings of a listing. False when an account began to track it, or to have it as a competitor, after
     * `watchedBefore`.
     */
    async retire({ _id, until }: TakenListing, watchedBefore: Date): Promise<boolean> {
      const { matchedCount } = await listings.updateOne(
        { _id, due_at: until, $or: [{ watched_at: null }, { watched_at: { $lt: watchedBefore } }] },
        { $unset: { planned_at: '', due_at: '', failures: '' } },
      );
      return matchedCount === 1;
    },
  };
}

/** Neither taken nor failed: both move `due_at` alone. */
function isAsPlanned({ due_at: dueAt, planned_at: plannedAt }: DueRow): boolean {
  return dueAt.getTime() === plannedAt?.getTime();
}
