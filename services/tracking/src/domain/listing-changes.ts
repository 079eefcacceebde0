import type { StoreListing } from './listing-fields.ts';

/**
 * The fields whose change makes a new revision, with a version row and an event, as a change of pictures does. All other
 * fields are stored as last read.
 */
export const versionedFields = ['title', 'subtitle', 'description', 'version', 'score', 'ratings'] as const;

export type VersionedField = (typeof versionedFields)[number];

/** What a revision may change: also pictures, and that the store does not list the app any more, or again. */
export type ChangedField = VersionedField | 'icon' | 'screenshots' | 'unlisted_since';

/** The fields of a listing whose revisions are stored. */
export type VersionedListing = Pick<StoreListing, VersionedField>;

/** Stores show at most two decimals; further decimals change with every single rating. */
const scoreSteps = 100;

/**
 * Returns the fields that differ, in a fixed order. Texts are compared exactly, scores at two decimals. A value that
 * appears or disappears (null on one side) differs. So a subtitle that becomes known for the first time counts as a
 * change, although the store's page is the same: scoring needs it.
 */
export function listingChanges(before: VersionedListing, after: VersionedListing): VersionedField[] {
  return versionedFields.filter((field) => comparable(before, field) !== comparable(after, field));
}

function comparable(listing: VersionedListing, field: VersionedField): string | number | null {
  if (field !== 'score' || listing.score === null) return listing[field];
  return Math.round(listing.score * scoreSteps);
}
