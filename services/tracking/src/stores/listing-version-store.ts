import { startOfDay, startOfNextDay } from '@shelfwise/runtime/day';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import { shownFields } from '../domain/field-changes.ts';
import { type ChangedField, versionedFields } from '../domain/listing-changes.ts';
import { listingFields } from '../domain/listing-fields.ts';
import type { ListingVersion } from '../domain/listing-version.ts';
import { imagesSchema } from './listing-store.ts';

/** The history of listings: one row per revision, `_id` is `<listing id>:<revision>`. Rows never change. */
type VersionDocument = ListingVersion & { _id: string };

/** A revision without its description, which is long and mostly that of an earlier one. */
export type ShortVersion = Omit<ListingVersion, 'description'>;

export type Description = Pick<ListingVersion, 'revision'> & { description: string };

/** The fields whose changes are listed. */
const listedChanges: ChangedField[] = [...shownFields, 'icon', 'screenshots'];

const schema = new Schema<VersionDocument>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    revision: { type: Number, required: true },
    changed: { type: [String], required: true },
    ...Object.fromEntries(versionedFields.map((field) => [field, listingFields[field]])),
    screenshots: { type: Number, required: true },
    images: imagesSchema,
    updated_at: Date,
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
  },
  { versionKey: false },
)
  .index({ listing_id: 1, revision: 1 })
  .index({ listing_id: 1, changed: 1, read_at: 1 });

/** Known rows in memory; some 2 MB. When there are more, all are looked for again. */
const maxKnown = 20_000;
/** Of changes of descriptions that were not known at first. */
const maxFirst = 1000;

export type ListingVersionStore = ReturnType<typeof createListingVersionStore>;

export function createListingVersionStore(connection: Connection) {
  const versions = connection.model('ListingVersion', schema, 'listing_versions');
  /** Ids of rows that are stored. Rows are never deleted. */
  const known = new Set<string>();

  function remember(id: string): void {
    if (known.size >= maxKnown) known.clear();
    known.add(id);
  }

  /** By listing, the revision with which its description became known; missing: none of the first `maxFirst`. */
  async function findFirstDescribed(listingIds: readonly number[]): Promise<Map<number, number>> {
    if (listingIds.length === 0) return new Map();
    const rows = await versions
      .find({ listing_id: { $in: listingIds }, changed: 'description', description: { $ne: null } })
      .sort({ read_at: 1 })
      .limit(maxFirst)
      .select({ _id: 0, listing_id: 1, revision: 1 })
      .lean<Pick<ListingVersion, 'listing_id' | 'revision'>[]>();
    const first = new Map<number, number>();
    for (const { listing_id: id, revision } of rows)
      first.set(id, Math.min(revision, first.get(id) ?? revision));
    return first;
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

    /**
     * The newest revisions of the listings in a window (YYYY-MM-DD, both days included) with a change of a text, the version
     * or a picture, newest first. Index: listing_id, changed, read_at.
     */
    listChanges: (
      listingIds: readonly number[],
      { from, to }: { from: string; to: string },
      limit: number,
    ): Promise<ShortVersion[]> =>
      versions
        .find({
          listing_id: { $in: listingIds },
          changed: { $in: listedChanges },
          read_at: { $gte: startOfDay(from), $lt: startOfNextDay(startOfDay(to)) },
        })
        .sort({ read_at: -1, listing_id: 1, revision: -1 })
        .limit(limit)
        .select({ description: 0 })
        .lean<ShortVersion[]>(),

    /** The revision before each of these, in no order; a first revision has none. Index: _id. */
    async findPrevious(rows: readonly ShortVersion[]): Promise<ShortVersion[]> {
      if (rows.length === 0) return [];
      return versions
        .find({ _id: { $in: rows.map((row) => idOf(row.listing_id, row.revision - 1)) } })
        .select({ description: 0 })
        .lean<ShortVersion[]>();
    },

    /**
     * Of revisions that changed the description, the ids of those with a known one before and after. Costs one query, and one more
     * while a listing began without a known description. Indexes: _id; listing_id, changed, read_at.
     */
    async findRewritten(rows: readonly ShortVersion[]): Promise<Set<string>> {
      if (rows.length === 0) return new Set();
      const listingIds = [...new Set(rows.map(({ listing_id: id }) => id))];
      const ids = [
        ...rows.map((row) => idOf(row.listing_id, row.revision)),
        ...listingIds.map((id) => idOf(id, 1)),
      ];
      const found = await versions
        .find({ _id: { $in: ids }, description: { $ne: null } })
        .select({ _id: 1 })
        .lean<{ _id: string }[]>();
      const described = new Set(found.map(({ _id }) => _id));
      const begunWithout = listingIds.filter((id) => !described.has(idOf(id, 1)));
      const begins = await findFirstDescribed(begunWithout);
      const isRewritten = ({ listing_id: id, revision }: ShortVersion) => {
        const begin = described.has(idOf(id, 1)) ? 1 : (begins.get(id) ?? revision);
        return described.has(idOf(id, revision)) && revision > begin;
      };
      return new Set(rows.filter(isRewritten).map((row) => idOf(row.listing_id, row.revision)));
    },

    /** The last descriptions of a listing up to a revision, newest first. Index: listing_id, revision. */
    listDescriptions: (listingId: number, revision: number, limit: number): Promise<Description[]> =>
      versions
        .find({ listing_id: listingId, revision: { $lte: revision }, description: { $ne: null } })
        .sort({ revision: -1 })
        .limit(limit)
        .select({ _id: 0, revision: 1, description: 1 })
        .lean<Description[]>(),
  };
}

function idOf(listingId: number, revision: number): string {
  return `${listingId}:${revision}`;
}
