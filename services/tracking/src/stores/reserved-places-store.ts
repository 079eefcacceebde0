import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';

/** What a plan limits. */
export type CappedItem = 'apps' | 'keywords' | 'competitors';
const cappedItems: readonly CappedItem[] = ['apps', 'keywords', 'competitors'];

/** Places that a call has reserved for rows that it is about to write. */
export type Reservation = { count: number; expires_at: Date };

/**
 * The places of an account for one item that are reserved and have no row yet. `version` grows with every reservation:
 * a call reserves only if no other call reserved since it read this document and counted the rows. It also grows when rows
 * stay that have no reservation any more. A release leaves the version, because it can only make room.
 */
export type ReservedPlaces = {
  /** Account and item. */
  _id: string;
  version: number;
  /** By the random id of the call. */
  reserved: Record<string, Reservation>;
};

const schema = new Schema<ReservedPlaces>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    reserved: { type: Schema.Types.Mixed },
  },
  { versionKey: false, minimize: false },
);

export type ReservedPlacesStore = ReturnType<typeof createReservedPlacesStore>;

/** All queries use the index of `_id`. */
export function createReservedPlacesStore(connection: Connection) {
  const places = connection.model('ReservedPlaces', schema, 'reserved_places');
  const keyOf = (accountId: string, item: CappedItem) => `${accountId} ${item}`;

  const create = (_id: string, reserved: ReservedPlaces['reserved']) =>
    tryCreate(() => places.create({ _id, version: 1, reserved }));

  return {
    async find(accountId: string, item: CappedItem): Promise<Omit<ReservedPlaces, '_id'>> {
      const stored = await places.findById(keyOf(accountId, item)).lean<ReservedPlaces>();
      return stored ?? { version: 0, reserved: {} };
    },

    /**
     * Reserves places, and removes the reservations `expiredIds`. False, and nothing is changed, when another call
     * reserved places since `version` was read, or released one of the expired ones: it has written rows since then.
     */
    async reserve(
      accountId: string,
      item: CappedItem,
      {
        version,
        id,
        reservation,
        expiredIds,
      }: {
        version: number;
        id: string;
        reservation: Reservation;
        expiredIds: readonly string[];
      },
    ): Promise<boolean> {
      const _id = keyOf(accountId, item);
      if (version === 0) return create(_id, { [id]: reservation });
      const update: { $set: object; $inc: object; $unset?: object } = {
        $set: { [`reserved.${id}`]: reservation },
        $inc: { version: 1 },
      };
      const expiredPaths = expiredIds.map((expired) => `reserved.${expired}`);
      if (expiredPaths.length > 0) update.$unset = Object.fromEntries(expiredPaths.map((path) => [path, '']));
      const areThere = Object.fromEntries(expiredPaths.map((path) => [path, { $ne: null }]));
      const { matchedCount } = await places.updateOne({ ...areThere, _id, version }, update);
      return matchedCount === 1;
    },

    /** Removes a reservation. False when another call had removed it, because it had expired. */
    async release(accountId: string, item: CappedItem, id: string): Promise<boolean> {
      const { matchedCount } = await places.updateOne(
        { _id: keyOf(accountId, item), [`reserved.${id}`]: { $ne: null } },
        { $unset: { [`reserved.${id}`]: '' } },
      );
      return matchedCount === 1;
    },

    /**
     * Makes every reservation fail that is computed from `version`. False when another call reserved places since it was
     * read.
     */
    async outdate(accountId: string, item: CappedItem, version: number): Promise<boolean> {
      const _id = keyOf(accountId, item);
      if (version === 0) return create(_id, {});
      const { matchedCount } = await places.updateOne({ _id, version }, { $inc: { version: 1 } });
      return matchedCount === 1;
    },

    async deleteAccount(accountId: string): Promise<void> {
      await places.deleteMany({ _id: { $in: cappedItems.map((item) => keyOf(accountId, item)) } });
    },
  };
}
