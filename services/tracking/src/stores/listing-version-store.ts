import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import { versionedFields } from '../domain/listing-changes.ts';
import { listingFields } from '../domain/listing-fields.ts';
import type { ListingVersion } from '../domain/listing-version.ts';

/** The history of listings: one row per revision, `_id` is `<listing id>:<revision>`. Rows never change. */
type VersionDocument = ListingVersion & { _id: string };

const schema = new Schema<VersionDocument>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    revision: { type: Number, required: true },
    changed: { type: [String], required: true },
    ...Object.fromEntries(versionedFields.map((field) => [field, listingFields[field]])),
    screenshots: { type: Number, required: true },
    updated_at: Date,
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
  },
  { versionKey: false },
).index({ listing_id: 1, revision: 1 });

export type ListingVersionStore = ReturnType<typeof createListingVersionStore>;

export function createListingVersionStore(connection: Connection) {
  const versions = connection.model('ListingVersion', schema, 'listing_versions');
  return {
    async has(listingId: number, revision: number): Promise<boolean> {
      return (await versions.exists({ _id: idOf(listingId, revision) })) !== null;
    },

    /** Adds the row of a revision; an existing row stays unchanged. */
    async add(version: ListingVersion): Promise<void> {
      const _id = idOf(version.listing_id, version.revision);
      await tryCreate(() => versions.create({ _id, ...version }));
    },
  };
}

function idOf(listingId: number, revision: number): string {
  return `${listingId}:${revision}`;
}
