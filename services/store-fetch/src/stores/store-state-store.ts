import type { Store } from '@shelfwise/facts/stores/store';
import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import { newEvent, outboxFields, outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';

/** Whether a store can be read, as all copies of the service see it. */
type StoreState = {
  _id: Store;
  /** Absent: it was never away. */
  is_blocked?: boolean;
  /** When its failures began; null while it can be read. */
  blocked_since?: Date | null;
  /** when `is_blocked` changed: the version of its event */
  changed_at?: Date | null;
  /** About when a result page was read last; null: never. */
  read_at?: Date | null;
};

const schema = new Schema<StoreState>(
  {
    _id: { type: String, required: true },
    is_blocked: Boolean,
    blocked_since: Date,
    changed_at: Date,
    read_at: Date,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
).index({ outbox_since: 1 }, { sparse: true });

/** When a change was seen, and by which request. */
type Seen = { at: Date; requestId: string };

export type StoreStateStore = ReturnType<typeof createStoreStateStore>;

/** A row for each store, with its events. Every query uses the index of _id. */
export function createStoreStateStore(connection: Connection) {
  const states = connection.model('StoreState', schema, 'store_states');

  const changed = (store: Store, isBlocked: boolean, since: Date, { at, requestId }: Seen) =>
    newEvent('store.state-changed.v1', store, { store, is_blocked: isBlocked, at, since }, { at, requestId });

  return {
    model: states,

    /** A result page was read. A store that was away is so no more. */
    async recordRead(store: Store, seen: Seen): Promise<void> {
      const row = await states.findById(store).lean<StoreState>();
      if (!row?.is_blocked) {
        await retryUpsert(() =>
          states.updateOne({ _id: store }, { $max: { read_at: seen.at } }, { upsert: true }),
        );
        return;
      }
      const at = nextChangeTime(seen.at, row.changed_at);
      const event = changed(store, false, row.blocked_since ?? at, { ...seen, at });
      // Another copy may have seen the same: one of them writes the event.
      await states.updateOne(
        { _id: store, is_blocked: true, changed_at: row.changed_at ?? null },
        {
          $set: {
            is_blocked: false,
            blocked_since: null,
            changed_at: at,
            read_at: seen.at,
            ...outboxSet(event, at),
          },
        },
      );
    },

    /**
     * No result page could be read since then. False when another copy has read one: through other addresses the store can be
     * read.
     */
    async recordOutage(store: Store, since: Date, seen: Seen): Promise<boolean> {
      const row = await states.findById(store).lean<StoreState>();
      if (row?.is_blocked) return true;
      if (row?.read_at && row.read_at > since) return false;
      const at = nextChangeTime(seen.at, row?.changed_at);
      const event = changed(store, true, since, { ...seen, at });
      const next = { is_blocked: true, blocked_since: since, changed_at: at };
      if (!row) {
        const first: StoreState = { _id: store, ...next };
        return tryCreate(() => states.create({ ...first, ...outboxInsert(event, at) }));
      }
      const { modifiedCount } = await states.updateOne(
        { _id: store, is_blocked: { $ne: true }, read_at: row.read_at ?? null },
        { $set: { ...next, ...outboxSet(event, at) } },
      );
      return modifiedCount === 1;
    },
  };
}
