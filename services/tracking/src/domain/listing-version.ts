import type { ListingContent } from './listing.ts';
import type { ListingField } from './listing-changes.ts';

/** One revision of a listing: what the store showed from `read_at` until the next revision. */
export type ListingVersion = {
  listing_id: number;
  revision: number;
  changed: ListingField[];
  title: string;
  /** Null: not known yet. */
  subtitle: string | null;
  /**
   * Null: as in the previous revision. Most revisions are new ratings, and a description has up to 4,000 characters.
   */
  description: string | null;
  version: string | null;
  score: number | null;
  ratings: number | null;
  screenshots: number;
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
