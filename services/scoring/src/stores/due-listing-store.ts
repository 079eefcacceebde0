import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import type { Listing, ListingStore } from './listing-store.ts';

/** A listing that was taken to be audited. Until `until` it is nobody else's. */
export type TakenListing = { id: number; failures: number; until: Date; wasDueAt: Date };

type DueRow = Pick<Listing, '_id' | 'failures'> & { due_at: Date };

export type DueListingStore = ReturnType<typeof createDueListingStore>;

/** Which listings are to be audited, and who does it: the moment in `due_at` is the lease. */
export function createDueListingStore({ model: listings }: Pick<ListingStore, 'model'>) {
  async function move(id: number, from: Date, plan: { due_at: Date }): Promise<boolean> {
    const { matchedCount } = await listings.updateOne({ _id: id, due_at: from }, { $set: plan });
    return matchedCount === 1;
  }

  return {
    /** Takes up to `count` of those that are due, oldest first; fewer when others are faster. By `due_at`. */
    async take(count: number, at: Date, until: Date): Promise<TakenListing[]> {
      const rows = await listings
        .find({ due_at: { $lte: at } })
        .sort({ due_at: 1 })
        .limit(count)
        .batchSize(singleBatchSize(count))
        .select({ due_at: 1, failures: 1 })
        .lean<DueRow[]>();
      const taken: TakenListing[] = [];
      for (const { _id: id, due_at: dueAt, failures } of rows)
        if (await move(id, dueAt, { due_at: until })) taken.push({ id, failures, until, wasDueAt: dueAt });
      return taken;
    },

    /** When somebody asked for it last; null: it is not ours any more. By `_id`. */
    findAsked: ({ id, until }: TakenListing) =>
      listings
        .findOne({ _id: id, due_at: until })
        .select({ asked_at: 1 })
        .lean<Pick<Listing, '_id' | 'asked_at'>>(),

    /** It was not tried: it is due as it was; nothing happens when it is not ours any more. By `_id`. */
    async requeue({ id, until, wasDueAt }: TakenListing): Promise<void> {
      await move(id, until, { due_at: wasDueAt });
    },

    /** It could not be audited, and is tried again at a moment; not when nobody wants it any more. By `_id`. */
    async postpone(id: number, plan: { due_at: Date; failures: number }): Promise<void> {
      await listings.updateOne({ _id: id, due_at: { $ne: null } }, { $set: { ...plan, audit_id: null } });
    },

    /** It is audited no more, until somebody tracks it or asks for it; not when it is not ours any more. By `_id`. */
    async retire({ id, until }: TakenListing): Promise<void> {
      await listings.updateOne(
        { _id: id, due_at: until },
        { $set: { audit_id: null }, $unset: { due_at: '' } },
      );
    },

    /** By `due_at`. */
    countDue: (at: Date, limit: number) => listings.countDocuments({ due_at: { $lte: at } }, { limit }),
  };
}
