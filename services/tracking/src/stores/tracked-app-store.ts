import { type NewEvent, outboxFields, outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { type Connection, Schema } from 'mongoose';

/** That an account tracks a listing, or once did: rows are never deleted. */
export type TrackedApp = {
  account_id: string;
  listing_id: number;
  active: boolean;
  tracked_since: Date;
  removed_at: Date | null;
  /** Set with the removal until the app's competitors and keywords are untracked too, so that a crash in between is noticed. */
  sweep?: boolean;
};

export type TrackedAppKey = Pick<TrackedApp, 'account_id' | 'listing_id'>;

const schema = new Schema<TrackedApp>(
  {
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    active: { type: Boolean, required: true },
    tracked_since: { type: Date, required: true },
    removed_at: { type: Date, default: null },
    sweep: Boolean,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, listing_id: 1 }, { unique: true })
  .index({ account_id: 1, active: 1, tracked_since: 1, listing_id: 1 })
  .index({ listing_id: 1, active: 1 })
  .index({ sweep: 1 }, { sparse: true })
  .index({ outbox_since: 1 }, { sparse: true });

export type TrackedAppStore = ReturnType<typeof createTrackedAppStore>;

export function createTrackedAppStore(connection: Connection) {
  const trackedApps = connection.model('TrackedApp', schema, 'tracked_apps');
  const withoutOutbox = { _id: 0, outbox: 0, outbox_since: 0, outbox_last: 0 };

  /** A removed app is tracked again only once its sweep is over. */
  async function reactivate(key: TrackedAppKey, at: Date, event: NewEvent): Promise<boolean> {
    const { modifiedCount } = await trackedApps.updateOne(
      { ...key, active: false, sweep: { $ne: true } },
      { $set: { active: true, tracked_since: at, removed_at: null, ...outboxSet(event, at) } },
    );
    return modifiedCount === 1;
  }

  return {
    model: trackedApps,

    find: (key: TrackedAppKey) => trackedApps.findOne(key).select(withoutOutbox).lean<TrackedApp>(),

    async isActive(key: TrackedAppKey): Promise<boolean> {
      return (await trackedApps.countDocuments({ ...key, active: true })) > 0;
    },

    /** Those of the listings that any account tracks. */
    async findTracked(listingIds: readonly number[]): Promise<Set<number>> {
      if (listingIds.length === 0) return new Set();
      const filter = { listing_id: { $in: listingIds }, active: true };
      return new Set(await trackedApps.distinct('listing_id', filter));
    },

    /** Newest first. */
    listActive: (accountId: string, limit: number) =>
      trackedApps
        .find({ account_id: accountId, active: true })
        .sort({ tracked_since: -1, listing_id: -1 })
        .limit(limit)
        .batchSize(singleBatchSize(limit))
        .select(withoutOutbox)
        .lean<TrackedApp[]>(),

    countActive: (accountId: string) => trackedApps.countDocuments({ account_id: accountId, active: true }),

    /** False when the account tracks it already; of many calls at once exactly one gets true. */
    async track(key: TrackedAppKey, at: Date, event: NewEvent): Promise<boolean> {
      try {
        const row = { ...key, active: true, tracked_since: at, removed_at: null };
        await trackedApps.create({ ...row, ...outboxInsert(event, at) });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return reactivate(key, at, event);
      }
    },

    /** Marks the app removed, and its competitors and keywords to be swept; false when it was not tracked. */
    async untrack(key: TrackedAppKey, at: Date, event: NewEvent): Promise<boolean> {
      const { modifiedCount } = await trackedApps.updateOne(
        { ...key, active: true },
        { $set: { active: false, removed_at: at, sweep: true, ...outboxSet(event, at) } },
      );
      return modifiedCount === 1;
    },

    findSweepDue: (key: TrackedAppKey) =>
      trackedApps
        .findOne({ ...key, active: false, sweep: true })
        .select(withoutOutbox)
        .lean<TrackedApp>(),

    /** Ends the sweep of this removal, not that of a later one. */
    async endSweep({
      account_id: accountId,
      listing_id: listingId,
      removed_at: removedAt,
    }: TrackedApp): Promise<void> {
      await trackedApps.updateOne(
        { account_id: accountId, listing_id: listingId, active: false, removed_at: removedAt },
        { $unset: { sweep: '' } },
      );
    },

    /** The account's removed apps whose sweep is not over; none as a rule. */
    async listSwept(accountId: string): Promise<number[]> {
      const rows = await trackedApps
        .find({ sweep: true, account_id: accountId })
        .select({ listing_id: 1 })
        .lean<Pick<TrackedApp, 'listing_id'>[]>();
      return rows.map(({ listing_id: listingId }) => listingId);
    },

    listSweepsDue: () => trackedApps.find({ sweep: true }).select(withoutOutbox).lean<TrackedApp[]>(),
  };
}
