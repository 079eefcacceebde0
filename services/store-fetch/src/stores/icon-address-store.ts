import type { Store } from '@shelfwise/facts/stores/store';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';

/** `_id` is `<store> <app id>`. */
type IconAddressDocument = { _id: string; address: string; seen_at: Date };

const schema = new Schema<IconAddressDocument>(
  {
    _id: { type: String, required: true },
    address: { type: String, required: true },
    seen_at: { type: Date, required: true },
  },
  { versionKey: false },
).index({ seen_at: 1 });

export type IconAddress = { appId: string; address: string };

export type IconAddressStore = {
  /** Null when no answer of the store has shown the app's icon. */
  find(store: Store, appId: string): Promise<string | null>;
  save(store: Store, icons: readonly IconAddress[], at: Date): Promise<void>;
};

/** The addresses of icons that live stores have shown, one row of about 250 bytes per app. */
export function createIconAddressStore(connection: Connection) {
  const icons = connection.model('IconAddress', schema, 'icon_addresses');

  return {
    /** Index: _id. */
    async find(store, appId) {
      const row = await icons.findById(idOf(store, appId)).lean<IconAddressDocument>().exec();
      return row?.address ?? null;
    },

    /** Of two copies that write at the same time, the last one wins. Index: _id. */
    async save(store, shown, at) {
      const operations = shown.map(({ appId, address }) => ({
        updateOne: {
          filter: { _id: idOf(store, appId) },
          update: { $set: { address, seen_at: at } },
          upsert: true,
        },
      }));
      await retryUpsert(() => bulkWriteInChunks(icons, operations));
    },

    /** Deletes a batch of rows that were not seen since `before`; see `deleteBatch`. Index: seen_at. */
    deleteBefore: (before: Date): Promise<number> =>
      deleteBatch(icons, { seen_at: { $lt: before } }, { seen_at: 1 }),
  } satisfies IconAddressStore & Record<string, unknown>;
}

function idOf(store: Store, appId: string): string {
  return `${store} ${appId}`;
}
