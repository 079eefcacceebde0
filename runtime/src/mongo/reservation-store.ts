import { type Connection, Schema } from 'mongoose';
import { deleteAll } from './delete-batch.ts';
import { tryCreate } from './try-create.ts';

/** Room for rows that a call is about to write. */
export type Reservation = { count: number; expires_at: Date };

/**
 * The open reservations of an account for one item. `version` grows with every reservation: a call reserves only if no
 * other call did since it read this document and counted the rows. It also grows when rows stay after their reservation
 * is gone. A release leaves the version, because it can only make room.
 */
export type Reservations = {
  /** Account and item. */
  _id: string;
  version: number;
  /** By the random id of the call. */
  reserved: Record<string, Reservation>;
};

const schema = new Schema<Reservations>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    reserved: { type: Schema.Types.Mixed },
  },
  { versionKey: false, minimize: false },
);

export type ReservationStore = ReturnType<typeof createReservationStore>;

/** An item is what is capped, such as `notes 42`. All queries use the index of `_id`. */
export function createReservationStore(connection: Connection) {
  const reservations = connection.model('Reservations', schema, 'reservations');
  const keyOf = (accountId: string, item: string) => `${accountId} ${item}`;

  const create = (_id: string, reserved: Reservations['reserved']) =>
    tryCreate(() => reservations.create({ _id, version: 1, reserved }));

  return {
    async find(accountId: string, item: string): Promise<Omit<Reservations, '_id'>> {
      const found = await reservations.findById(keyOf(accountId, item)).lean<Reservations>();
      return found ?? { version: 0, reserved: {} };
    },

    /**
     * Adds a reservation and removes those of `expiredIds`. Changes nothing and returns false when another call made
     * one since `version` was read. The same when an expired one was released: it has written rows since then.
     */
    async reserve(
      accountId: string,
      item: string,
      made: { version: number; id: string; reservation: Reservation; expiredIds: readonly string[] },
    ): Promise<boolean> {
      const { version, id, reservation, expiredIds } = made;
      const _id = keyOf(accountId, item);
      if (version === 0) return create(_id, { [id]: reservation });
      const update: { $set: object; $inc: object; $unset?: object } = {
        $set: { [`reserved.${id}`]: reservation },
        $inc: { version: 1 },
      };
      const expiredPaths = expiredIds.map((expired) => `reserved.${expired}`);
      if (expiredPaths.length > 0) update.$unset = Object.fromEntries(expiredPaths.map((path) => [path, '']));
      const areThere = Object.fromEntries(expiredPaths.map((path) => [path, { $ne: null }]));
      const { matchedCount } = await reservations.updateOne({ ...areThere, _id, version }, update);
      return matchedCount === 1;
    },

    /** Removes a reservation. False when another call had removed it, because it had expired. */
    async release(accountId: string, item: string, id: string): Promise<boolean> {
      const { matchedCount } = await reservations.updateOne(
        { _id: keyOf(accountId, item), [`reserved.${id}`]: { $ne: null } },
        { $unset: { [`reserved.${id}`]: '' } },
      );
      return matchedCount === 1;
    },

    /**
     * Makes every reservation fail that is computed from `version`. False when another call made one since it was read.
     */
    async outdate(accountId: string, item: string, version: number): Promise<boolean> {
      const _id = keyOf(accountId, item);
      if (version === 0) return create(_id, {});
      const { matchedCount } = await reservations.updateOne({ _id, version }, { $inc: { version: 1 } });
      return matchedCount === 1;
    },

    /** Deletes the reservations of an account until the signal fires. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      // All ids that begin with the account and a space: an exclamation mark is the next character.
      deleteAll(reservations, { _id: { $gte: `${accountId} `, $lt: `${accountId}!` } } as object, signal),
  };
}
