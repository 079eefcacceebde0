import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Listing as StoreListing } from '@shelfwise/proto/store/v1/store';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { AppError } from '@shelfwise/runtime/errors';

/** What a store shows of one app in one storefront, as last read. Null: the store does not show it. */
export type ListingContent = {
  /** App Store: the bundle id; Google Play: the package name. */
  bundle_id: string | null;
  title: string;
  /**
   * App Store: the subtitle; Google Play: the short description. Empty: the app has none. Null: never read, because the
   * App Store shows it on another page.
   */
  subtitle: string | null;
  /** May be older than `read_at`, when a later reading lacked the subtitle. */
  subtitle_read_at: Date | null;
  description: string;
  url: string;
  icon: string;
  screenshots: string[];
  has_video: boolean | null;
  developer_name: string;
  genre: string;
  /** The store's key of the genre: 6007, PRODUCTIVITY. */
  genre_key: string | null;
  /** BCP 47; empty when the store does not say. */
  languages: string[];
  version: string | null;
  /** Average rating, 0 to 5. */
  score: number | null;
  /** Number of ratings. */
  ratings: number | null;
  /** Google Play only: the lower bound that the store shows. */
  installs: number | null;
  /** In `currency` (ISO 4217); 0 is free. */
  price: number | null;
  currency: string | null;
  released_at: Date | null;
  /** The time of the newest version, as the store states it. */
  updated_at: Date | null;
  /** When the store was read. */
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
};

/**
 * One reading. `appId` is the store's identifier in its canonical spelling (App Store: the numeric id, even if the
 * bundle id was requested).
 */
export type ListingReading = { appId: string; content: ListingContent };

/**
 * Converts store-fetch's answer for one listing.
 * @throws STORE_FETCH_FAILED when the time of the reading, the listing or its app id is missing
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

/** The new reading, with the stored subtitle if it has none: the App Store's page of the subtitle was not read. */
export function withKnownSubtitle(stored: ListingContent, fresh: ListingContent): ListingContent {
  if (fresh.subtitle !== null) return fresh;
  return { ...fresh, subtitle: stored.subtitle, subtitle_read_at: stored.subtitle_read_at };
}

/** The listing as store-fetch would return it: what the store shows, without times and source of the reading. */
export function toStoreListing(appId: string, content: ListingContent): StoreListing {
  const { subtitle_read_at: _subtitleReadAt, read_at: _readAt, source: _source, ...shown } = content;
  return { ...shown, app_id: appId, bundle_id: content.bundle_id ?? '' };
}

/** The listing as replies and events of tracking carry it: with id, storefront, revision, and when it was read. */
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
