import type { ImageChanges } from './image-changes.ts';
import type { ListingReading } from './listing.ts';
import { type ChangedField, type VersionedListing, versionedFields } from './listing-changes.ts';

/** One revision of a listing: what the store showed from `read_at` until the next revision. */
export type ListingVersion = Omit<VersionedListing, 'description'> & {
  listing_id: number;
  revision: number;
  changed: ChangedField[];
  /**
   * Null: as in the previous revision. Most revisions are new ratings, and a description has up to 4,000 characters.
   */
  description: string | null;
  screenshots: number;
  /** Null in the first revision; absent in rows of older versions, which did not compare pictures. */
  images?: ImageChanges | null | undefined;
  /** As the store states it. */
  updated_at: Date | null;
  read_at: Date;
  source: string;
};

/**
 * The version row of a listing's current revision. Later readings without a change do not alter it, so it can be made
 * at any time until the next revision.
 */
export function toListingVersion(
  listing: ListingReading & {
    _id: number;
    revision: number;
    changed: ChangedField[];
    changed_at: Date;
    images?: ImageChanges | null | undefined;
  },
): ListingVersion {
  const { revision, changed } = listing;
  const hasNewDescription = revision === 1 || changed.includes('description');
  return {
    listing_id: listing._id,
    revision,
    changed,
    ...pickVersioned(listing),
    description: hasNewDescription ? listing.description : null,
    screenshots: listing.screenshots.length,
    images: listing.images,
    updated_at: listing.updated_at,
    read_at: listing.changed_at,
    source: listing.source,
  };
}

function pickVersioned(listing: VersionedListing): VersionedListing {
  return Object.fromEntries(versionedFields.map((field) => [field, listing[field]])) as VersionedListing;
}
