import type { ListingContent } from './listing.ts';
import type { ListingField } from './listing-changes.ts';

/** One revision of a listing: what the store showed from `read_at` on, until the next one. */
export type ListingVersion = {
  listing_id: number;
  revision: number;
  changed: ListingField[];
  title: string;
  /** Null: not known yet. */
  subtitle: string | null;
  /** Null: as in the revision before, because most revisions are new ratings and a description has 4,000 characters. */
  description: string | null;
  version: string | null;
  score: number | null;
  ratings: number | null;
  screenshots: number;
  /** by the store's own word */
  updated_at: Date | null;
  read_at: Date;
  source: string;
};

/**
 * The row of the revision that a listing is at. It can be made at any time while the listing is at that revision,
 * also after later readings: none of them differed.
 */
export function toListingVersion(
  listing: ListingContent & { _id: number; revision: number; changed: ListingField[]; changed_at: Date },
): ListingVersion {
  const { revision, changed } = listing;
  const hasNewDescription = revision === 1 || changed.includes('description');
  return {
    listing_id: listing._id,
    revision,
    changed,
    title: listing.title,
    subtitle: listing.subtitle,
    version: listing.version,
    score: listing.score,
    ratings: listing.ratings,
    description: hasNewDescription ? listing.description : null,
    screenshots: listing.screenshots.length,
    updated_at: listing.updated_at,
    read_at: listing.changed_at,
    source: listing.source,
  };
}
