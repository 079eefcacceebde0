import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Listing } from '@shelfwise/proto/store/v1/store';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { checkId, checkInteger, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';

/** What scoring stores of a listing. Null: the store does not publish it, or it was not read. */
export type ListingContent = {
  title: string;
  /** Subtitle or short description; empty: the app has none. */
  subtitle: string | null;
  description: string;
  developer_name: string;
  genre: string;
  version: string | null;
  /** average rating, 0 to 5 */
  score: number | null;
  /** number of ratings in the storefront */
  ratings: number | null;
  /** Google Play only */
  installs: number | null;
  /** URLs */
  screenshots: string[];
  has_video: boolean | null;
  /** BCP 47; empty: the store does not publish them */
  languages: string[];
  released_at: Date | null;
  updated_at: Date | null;
};

/** A listing as tracking read it from the store. */
export type ListingReading = {
  /** internal app id */
  id: number;
  storefront: Storefront;
  /** store identifier */
  app_id: string;
  /** 1 for the first reading, one more for each reading that showed a change */
  revision: number;
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
  content: ListingContent;
};

const maxSourceLength = 64;
const maxAppIdLength = 255;

/**
 * Checks a listing that tracking sent.
 * @throws INVALID_PARAMS naming the field that is missing or out of bounds
 */
export function readTrackedListing(app: TrackedListing | null): ListingReading {
  if (!app?.listing) throw invalidParams({ app: 'must be a listing that tracking knows' });
  if (!app.read_at) throw invalidParams({ app: 'must say when it was read' });
  return {
    id: checkId('app.id', app.id),
    storefront: checkStorefront(app.storefront),
    app_id: checkText('app.listing.app_id', app.listing.app_id, 1, maxAppIdLength),
    revision: checkInteger('app.revision', app.revision, 0, Number.MAX_SAFE_INTEGER),
    read_at: app.read_at,
    source: checkText('app.source', app.source, 1, maxSourceLength),
    content: toListingContent(app.listing),
  };
}

/** Copies the fields that scoring stores; a missing optional field becomes null. */
export function toListingContent(listing: Listing): ListingContent {
  const { title, description, genre, screenshots, languages } = listing;
  return {
    title,
    subtitle: listing.subtitle ?? null,
    description,
    developer_name: listing.developer_name,
    genre,
    version: listing.version ?? null,
    score: listing.score ?? null,
    ratings: listing.ratings ?? null,
    installs: listing.installs ?? null,
    screenshots,
    has_video: listing.has_video ?? null,
    languages,
    released_at: listing.released_at ?? null,
    updated_at: listing.updated_at ?? null,
  };
}
