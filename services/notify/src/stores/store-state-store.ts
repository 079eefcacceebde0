import { type Store, stores } from '@shelfwise/facts/stores/store';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

/** Whether a store can be read, according to its newest event. */
export type StoreState = {
  _id: Store;
  is_blocked: boolean;
  /** since when: the time of that event */
  at: Date;
};

const schema = new Schema<StoreState>(
  {
    _id: { type: String, required: true },
    is_blocked: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
);

export type StoreStateStore = ReturnType<typeof createStoreStateStore>;

/** A row for each store that was ever away. */
export function createStoreStateStore(connection: Connection) {
  const states = connection.model('StoreState', schema, 'store_states');

  return {
    /** Index: _id. */
    list: (): Promise<StoreState[]> =>
      states
        .find({ _id: { $in: [...stores] } })
        .lean<StoreState[]>()
        .exec(),

    /** Unless a newer event is stored. Index: _id. */
    async saveNewest({ _id, ...state }: StoreState): Promise<void> {
      await upsertNewest(() =>
        states.updateOne({ _id, at: { $lte: state.at } }, { $set: state }, { upsert: true }),
      );
    },
  };
}
