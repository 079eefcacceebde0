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

/** Known rows in memory; some 2 MB. When there are more, all are looked for again. */
const maxKnown = 20_000;

export type ListingVersionStore = ReturnType<typeof createListingVersionStore>;

export function createListingVersionStore(connection: Connection) {
  const versions = connection.model('ListingVersion', schema, 'listing_versions');
  /** Ids of rows that are stored. Rows are never deleted. */
  const known = new Set<string>();

  function remember(id: string): void {
    if (known.size >= maxKnown) known.clear();
    known.add(id);
  }

  return {
    /** Asks the database once for a row that exists. Index: _id. */
    async has(listingId: number, revision: number): Promise<boolean> {
      const _id = idOf(listingId, revision);
      if (known.has(_id)) return true;
      if ((await versions.exists({ _id })) === null) return false;
      remember(_id);
      return true;
    },

    /** Adds the row of a revision; an existing row stays unchanged. */
    async add(version: ListingVersion): Promise<void> {
      const _id = idOf(version.listing_id, version.revision);
      await tryCreate(() => versions.create({ _id, ...version }));
      remember(_id);
    },
  };
}

function idOf(listingId: number, revision: number): string {
  return `${listingId}:${revision}`;
}
