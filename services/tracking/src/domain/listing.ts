import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { FoundListing } from '@shelfwise/proto/store/v1/store';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { AppError } from '@shelfwise/runtime/errors';
import { pickListing, type StoreListing } from './listing-fields.ts';

/** A listing as read at one time, and as stored. */
export type ListingReading = StoreListing & {
  /** May be older than `read_at`, when a later reading lacked the subtitle. Null: never read. */
  subtitle_read_at: Date | null;
  /** When the store was read. */
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
};

/**
 * Checks store-fetch's answer for one listing. Its app id is the canonical one (App Store: the numeric id), even if the
 * bundle id was requested.
 * @throws STORE_FETCH_FAILED when the time of the reading, the listing or its app id is missing
 */
export function toListingReading({ reading, listing }: FoundListing): ListingReading {
  if (!reading?.read_at || !listing || listing.app_id === '')
    throw new AppError('STORE_FETCH_FAILED', 'The listing could not be read from the store. Try again.');
  const shown = pickListing(listing);
  return {
    ...shown,
    subtitle_read_at: shown.subtitle === null ? null : reading.read_at,
    read_at: reading.read_at,
    source: reading.source,
  };
}

/** Fields that change rarely. Rating and price are not among them: those of yesterday are not those of today. */
const lastingFields = [
  'bundle_id',
  'title',
  'description',
  'url',
  'icon',
  'screenshots',
  'developer_name',
  'genre',
  'genre_key',
  'languages',
  'version',
  'released_at',
  'updated_at',
] as const satisfies (keyof StoreListing)[];

/**
 * The new reading, with the stored values of lasting fields that it could not read: one odd page is no change. The same
 * holds for the subtitle, which the App Store shows on another page.
 */
export function withKnownValues(stored: ListingReading, fresh: ListingReading): ListingReading {
  const known = lastingFields.filter(
    (field) => fresh.unreadable.includes(field) && !stored.unreadable.includes(field),
  );
  const reading: ListingReading = {
    ...fresh,
    ...(Object.fromEntries(known.map((field) => [field, stored[field]])) as Partial<ListingReading>),
    unreadable: fresh.unreadable.filter((field) => !known.some((name) => name === field)),
  };
  if (fresh.subtitle !== null) return reading;
  return { ...reading, subtitle: stored.subtitle, subtitle_read_at: stored.subtitle_read_at };
}

/** The listing as replies and events of tracking carry it: with id, storefront, revision, and when it was read. */
export function toTrackedListing(
  listing: ListingReading & Storefront & { _id: number; revision: number; unlisted_since: Date | null },
): TrackedListing {
  const { store, country, lang } = listing;
  return {
    id: listing._id,
    storefront: { store, country, lang },
    revision: listing.revision,
    read_at: listing.read_at,
    source: listing.source,
    listing: pickListing(listing),
    unlisted_since: listing.unlisted_since,
  };
}
