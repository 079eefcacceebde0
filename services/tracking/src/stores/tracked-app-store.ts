import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import {
  type NewEvent,
  outboxFields,
  outboxInsert,
  outboxSet,
  type published,
} from '@shelfwise/runtime/events/outbox';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { createMemory } from '@shelfwise/runtime/mongo/row-memory';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';

/** A listing that an account tracks, or tracked before. Rows are deleted only with their account. */
export type TrackedApp = {
  account_id: string;
  listing_id: number;
  active: boolean;
  /** When the account started to track it last. */
  tracked_since: Date;
  /** Null while it is active. */
  removed_at: Date | null;
  /** Set while the removal of the app's competitors and keywords is pending; after a crash the removal continues. */
  is_removal_pending?: boolean;
};

/**
 * The event of a change at a given time: `tracked_since` or `removed_at`. The times of one row only increase, so that
 * readers keep the event with the latest one.
 */
export type EventAt = (at: Date) => NewEvent;

export type TrackedAppKey = Pick<TrackedApp, 'account_id' | 'listing_id'>;

/** Selects an account's keywords or competitors: all, or all except those of some apps. */
export type TrackedFilter = { account_id: string; listing_id?: { $nin: number[] } };

const schema = new Schema<TrackedApp>(
  {
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    active: { type: Boolean, required: true },
    tracked_since: { type: Date, required: true },
    removed_at: { type: Date, default: null },
    is_removal_pending: Boolean,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, listing_id: 1 }, { unique: true })
  .index({ account_id: 1, active: 1, tracked_since: 1, listing_id: 1 })
  .index({ listing_id: 1, active: 1 })
  .index({ is_removal_pending: 1 }, { sparse: true })
  .index({ outbox_since: 1 }, { sparse: true });

export type TrackedAppStore = ReturnType<typeof createTrackedAppStore>;

/** @param isOnlyCopy whether active rows, their number, and accounts without a pending removal may be remembered */
export function createTrackedAppStore(connection: Connection, isOnlyCopy: boolean) {
  const trackedApps = connection.model('TrackedApp', schema, 'tracked_apps');
  const withoutOutbox = { _id: 0, outbox: 0, outbox_since: 0, outbox_last: 0 };
  /** Rows that are active, by `memoryKey`. */
  const active = createMemory<string, true>(isOnlyCopy);
  /** Accounts without an app that is being removed; and how many apps each of them tracks. */
  const settled = createMemory<string, true>(isOnlyCopy);
  const counts = createMemory<string, number>(isOnlyCopy);
  const memoryKey = ({ account_id, listing_id }: TrackedAppKey) => `${account_id} ${listing_id}`;

  return {
    model: trackedApps,

    /** Null when the account never tracked it. Index: account_id, listing_id. */
    find: (key: TrackedAppKey) => trackedApps.findOne(key).select(withoutOutbox).lean<TrackedApp>(),

    /** Index: account_id, listing_id; no query where it is remembered. */
    async isActive({ account_id, listing_id }: TrackedAppKey): Promise<boolean> {
      const key = { account_id, listing_id };
      const name = memoryKey(key);
      const found = await active.find([name], async () => {
        const fields = { listing_id: 'value' } as const;
        const rows = await findFields(trackedApps, { ...key, active: true }, { limit: 1, fields });
        return new Map(rows.map(() => [name, true] as const));
      });
      return found.has(name);
    },

    /** The listings among these that the account tracks, in no order. Index: account_id, listing_id. */
    async findActive(accountId: string, listingIds: readonly number[]): Promise<number[]> {
      const rows = await findFields<Pick<TrackedApp, 'listing_id'>>(
        trackedApps,
        { account_id: accountId, listing_id: { $in: listingIds }, active: true },
        { fields: { listing_id: 'value' } },
      );
      return rows.map((row) => row.listing_id);
    },

    /** The listings among these that at least one account tracks. */
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
        .select(withoutOutbox)
        .lean<TrackedApp[]>(),

    /** The internal ids of the apps that the account tracks, newest first. Index: account_id, active, tracked_since. */
    async listIds(accountId: string, limit: number): Promise<number[]> {
      const rows = await findFields<Pick<TrackedApp, 'listing_id'>>(
        trackedApps,
        { account_id: accountId, active: true },
        { sort: { tracked_since: -1, listing_id: -1 }, limit, fields: { listing_id: 'value' } },
      );
      return rows.map((row) => row.listing_id);
    },

    countActive: (accountId: string) => trackedApps.countDocuments({ account_id: accountId, active: true }),

    /**
     * Tracks an app that had this row; null: none. False when the row has changed since it was read, the app is tracked or its
     * removal is pending. Of several concurrent calls, exactly one gets true.
     */
    track: (key: TrackedAppKey, stored: TrackedApp | null, now: Date, eventAt: EventAt): Promise<boolean> =>
      counts.change(key.account_id, async () => {
        if (!stored) {
          const row = { ...key, active: true, tracked_since: now, removed_at: null };
          return tryCreate(() => trackedApps.create({ ...row, ...outboxInsert(eventAt(now), now) }));
        }
        const at = nextChangeTime(now, stored.removed_at);
        const { modifiedCount } = await trackedApps.updateOne(
          { ...key, active: false, is_removal_pending: { $ne: true }, removed_at: stored.removed_at },
          { $set: { active: true, tracked_since: at, removed_at: null, ...outboxSet(eventAt(at), at) } },
        );
        return modifiedCount === 1;
      }),

    /**
     * Marks the app as removed and its removal as pending. `unknown`: the account never tracked it. One write, unless it is not
     * tracked, or this clock is behind the one that tracked it.
     */
    untrack: (
      key: TrackedAppKey,
      now: Date,
      eventAt: EventAt,
    ): Promise<'removed' | 'already removed' | 'unknown'> =>
      changeRemoval(key, async () => {
        if (await remove(key, { $lt: now }, now, eventAt)) return 'removed';
        for (;;) {
          const tracked = await trackedApps
            .findOne(key)
            .select({ active: 1, tracked_since: 1 })
            .lean<Pick<TrackedApp, 'active' | 'tracked_since'>>();
          if (!tracked) return 'unknown';
          if (!tracked.active) return 'already removed';
          const { tracked_since: since } = tracked;
          if (await remove(key, since, nextChangeTime(now, since), eventAt)) return 'removed';
        }
      }),

    findPendingRemoval: (key: TrackedAppKey) =>
      trackedApps
        .findOne({ ...key, active: false, is_removal_pending: true })
        .select(withoutOutbox)
        .lean<TrackedApp>(),

    /**
     * Marks this removal as complete, but not a later one of the same app (with another `removed_at`). False when it is not
     * pending any more.
     */
    async completeRemoval(app: TrackedApp): Promise<boolean> {
      const { modifiedCount } = await trackedApps.updateOne(
        {
          account_id: app.account_id,
          listing_id: app.listing_id,
          active: false,
          removed_at: app.removed_at,
        },
        { $unset: { is_removal_pending: '' } },
      );
      return modifiedCount === 1;
    },

    /**
     * Deletes the removed apps of an account whose removal is complete until the signal fires: all, or those with
     * published events. Index: account_id, active.
     */
    deleteRemoved: (accountId: string, which: Partial<typeof published>, signal: AbortSignal) =>
      deleteAll(
        trackedApps,
        { account_id: accountId, active: false, is_removal_pending: null, ...which },
        signal,
      ),

    countRows: (accountId: string) => trackedApps.countDocuments({ account_id: accountId }),

    listPendingRemovals: () =>
      trackedApps.find({ is_removal_pending: true }).select(withoutOutbox).lean<TrackedApp[]>(),

    /**
     * The number of apps that an account tracks, with the filter of `selectTracked`. One query while no removal is pending, or none
     * where it is remembered.
     * Index: account_id.
     */
    async countAndSelect(accountId: string): Promise<{ count: number; tracked: TrackedFilter }> {
      const shown = { $or: [{ active: true }, { is_removal_pending: true }] };
      let count = 0;
      let isAnyPending = false;
      const found = await counts.find([accountId], async () => {
        const groups = await trackedApps.aggregate<{ _id: boolean; count: number }>([
          { $match: { account_id: accountId, ...shown } },
          { $group: { _id: '$active', count: { $sum: 1 } } },
        ]);
        count = groups.find(({ _id: active }) => active)?.count ?? 0;
        isAnyPending = groups.some(({ _id: active }) => !active);
        return new Map(isAnyPending ? [] : [[accountId, count] as const]);
      });
      const tracked = isAnyPending ? await selectTracked(accountId) : { account_id: accountId };
      return { count: found.get(accountId) ?? count, tracked };
    },

    selectTracked,
  };

  /**
   * Selects an account's keywords or competitors, without those of apps whose removal is pending. Makes one query on
   * an index that is usually empty, or none where it is remembered that no removal is pending.
   */
  async function selectTracked(accountId: string): Promise<TrackedFilter> {
    let pending: Pick<TrackedApp, 'listing_id'>[] = [];
    await settled.find([accountId], async () => {
      pending = await findFields<Pick<TrackedApp, 'listing_id'>>(
        trackedApps,
        { is_removal_pending: true, account_id: accountId },
        { fields: { listing_id: 'value' } },
      );
      return new Map(pending.length === 0 ? [[accountId, true] as const] : []);
    });
    return pending.length === 0
      ? { account_id: accountId }
      : { account_id: accountId, listing_id: { $nin: pending.map((app) => app.listing_id) } };
  }

  function changeRemoval<Result>(key: TrackedAppKey, write: () => Promise<Result>): Promise<Result> {
    const { account_id: accountId } = key;
    return active.change(memoryKey(key), () =>
      settled.change(accountId, () => counts.change(accountId, write)),
    );
  }

  /** False when it is not tracked, or not since that time. */
  async function remove(
    key: TrackedAppKey,
    since: Date | { $lt: Date },
    at: Date,
    eventAt: EventAt,
  ): Promise<boolean> {
    const { modifiedCount } = await trackedApps.updateOne(
      { ...key, active: true, tracked_since: since },
      { $set: { active: false, removed_at: at, is_removal_pending: true, ...outboxSet(eventAt(at), at) } },
    );
    return modifiedCount === 1;
  }
}
