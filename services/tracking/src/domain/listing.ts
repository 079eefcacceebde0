import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Listing as StoreListing } from '@shelfwise/proto/store/v1/store';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { AppError } from '@shelfwise/runtime/errors';

/** What a store shows of one app in one storefront, as last read. Null: the store does not show it. */
export type ListingContent = {
  bundle_id: string | null;
  title: string;
  /** Empty: the app has none. Null: never read, because the App Store shows it on another page. */
  subtitle: string | null;
  subtitle_read_at: Date | null;
  description: string;
  url: string;
  icon: string;
  screenshots: string[];
  has_video: boolean | null;
  developer_name: string;
  genre: string;
  genre_key: string | null;
  languages: string[];
  version: string | null;
  score: number | null;
  ratings: number | null;
  installs: number | null;
  price: number | null;
  currency: string | null;
  released_at: Date | null;
  updated_at: Date | null;
  read_at: Date;
  source: string;
};

/** One reading: the store's own identifier of the app in its canonical spelling, and what the store shows. */
export type ListingReading = { appId: string; content: ListingContent };

/**
 * Converts a store's answer for one listing.
 * @throws STORE_FETCH_FAILED when it is incomplete
 */
export function toListingReading(answer: {
  reading: { read_at: Date | null; source: string } | null;
  listing: StoreListing | null;
}): ListingReading {
  const { reading, listing } = answer;
  if (!reading?.read_at || !listing || listing.app_id === '')
    throw new AppError('STORE_FETCH_FAILED', 'The listing could not be read from the store. Try again.');
  const subtitle = listing.subtitle ?? null;
  return {
    appId: listing.app_id,
    content: {
      bundle_id: listing.bundle_id || null,
      title: listing.title,
      subtitle,
      subtitle_read_at: subtitle === null ? null : reading.read_at,
      description: listing.description,
      url: listing.url,
      icon: listing.icon,
      screenshots: listing.screenshots,
      has_video: listing.has_video ?? null,
      developer_name: listing.developer_name,
      genre: listing.genre,
      genre_key: listing.genre_key ?? null,
      languages: listing.languages,
      version: listing.version ?? null,
      score: listing.score ?? null,
      ratings: listing.ratings ?? null,
      installs: listing.installs ?? null,
      price: listing.price ?? null,
      currency: listing.currency ?? null,
      released_at: listing.released_at ?? null,
      updated_at: listing.updated_at ?? null,
      read_at: reading.read_at,
      source: reading.source,
    },
  };
}

/** The new reading; if it has no subtitle, with the known one. */
export function withKnownSubtitle(known: ListingContent, fresh: ListingContent): ListingContent {
  if (fresh.subtitle !== null) return fresh;
  return { ...fresh, subtitle: known.subtitle, subtitle_read_at: known.subtitle_read_at };
}

/** The listing as an event carries it. */
export function toStoreListing(appId: string, content: ListingContent): StoreListing {
  const { subtitle_read_at: _subtitleReadAt, read_at: _readAt, source: _source, ...shown } = content;
  return { ...shown, app_id: appId, bundle_id: content.bundle_id ?? '' };
}

/** The listing as replies and events carry it. */
export function toTrackedListing(
  listing: ListingContent & Storefront & { _id: number; app_id: string; revision: number },
): TrackedListing {
  const { store, country, lang } = listing;
  return {
    id: listing._id,
    storefront: { store, country, lang },
    revision: listing.revision,
    read_at: listing.read_at,
    source: listing.source,
    listing: toStoreListing(listing.app_id, listing),
  };
}
