import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import type { Listing, ListingStore } from './listing-store.ts';

/**
 * A listing that this copy has claimed to audit. No other copy claims it before `until`, unless something makes it due
 * earlier: the claim is then lost. `wasDueAt`: when it was due before the claim.
 */
export type ClaimedListing = { id: number; failures: number; until: Date; wasDueAt: Date };

type DueRow = Pick<Listing, '_id' | 'failures'> & { due_at: Date };

export type DueListingStore = ReturnType<typeof createDueListingStore>;

/**
 * Which listings are due for an audit, and which are claimed. A claim moves `due_at` to the time at which it expires,
 * and is valid as long as `due_at` has that value.
 */
export function createDueListingStore({ model: listings }: Pick<ListingStore, 'model'>) {
  async function moveDueAt(id: number, from: Date, to: Date): Promise<boolean> {
    const { matchedCount } = await listings.updateOne({ _id: id, due_at: from }, { $set: { due_at: to } });
    return matchedCount === 1;
  }

  return {
    /** Claims up to `count` due listings, oldest first; fewer when other copies are faster. Index: due_at. */
    async claim(count: number, at: Date, until: Date): Promise<ClaimedListing[]> {
      const rows = await listings
        .find({ due_at: { $lte: at } })
        .sort({ due_at: 1 })
        .limit(count)
        .batchSize(singleBatchSize(count))
        .select({ due_at: 1, failures: 1 })
        .lean<DueRow[]>();
      const claimed: ClaimedListing[] = [];
      for (const { _id: id, due_at: dueAt, failures } of rows)
        if (await moveDueAt(id, dueAt, until)) claimed.push({ id, failures, until, wasDueAt: dueAt });
      return claimed;
    },

    /** The claimed listing, with the time of its last request; null when the claim is lost. Index: _id. */
    findClaim: ({ id, until }: ClaimedListing) =>
      listings
        .findOne({ _id: id, due_at: until })
        .select({ requested_at: 1 })
        .lean<Pick<Listing, '_id' | 'requested_at'>>(),

    /** Makes a listing that was not tried due as before. Does nothing when the claim is lost. Index: _id. */
    async requeue({ id, until, wasDueAt }: ClaimedListing): Promise<void> {
      await moveDueAt(id, until, wasDueAt);
    },

    /** Schedules the retry of a failed audit, unless the listing is dormant by now. Index: _id. */
    async fail(id: number, plan: { due_at: Date; failures: number }): Promise<void> {
      await listings.updateOne({ _id: id, due_at: { $ne: null } }, { $set: { ...plan, audit_id: null } });
    },

    /**
     * Stops audits of a listing until it is tracked or requested again. Does nothing when the claim is lost. Index:
     * _id.
     */
    async makeDormant({ id, until }: ClaimedListing): Promise<void> {
      await listings.updateOne(
        { _id: id, due_at: until },
        { $set: { audit_id: null }, $unset: { due_at: '' } },
      );
    },

    /** How many listings are due; counting stops at `limit`. Index: due_at. */
    countDue: (at: Date, limit: number) => listings.countDocuments({ due_at: { $lte: at } }, { limit }),
  };
}
