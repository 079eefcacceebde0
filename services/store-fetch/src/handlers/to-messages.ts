import type { Listing as ListingMessage, Reading as ReadingMessage } from '@shelfwise/proto/store/v1/store';
import type { Listing, Reading } from '../source.ts';

export function toReadingMessage({ readAt, source }: Reading): ReadingMessage {
  return { read_at: readAt, source };
}

export function toListingMessage(listing: Listing): ListingMessage {
  return {
    app_id: listing.appId,
    bundle_id: listing.bundleId,
    title: listing.title,
    subtitle: listing.subtitle,
    description: listing.description,
    url: listing.url,
    icon: listing.icon,
    screenshots: listing.screenshots,
    developer_name: listing.developerName,
    genre: listing.genre,
    genre_key: listing.genreKey,
    version: listing.version,
    score: listing.score,
    ratings: listing.ratings,
    price: listing.price,
    currency: listing.currency,
    installs: listing.installs,
    languages: listing.languages,
    has_video: listing.hasVideo,
    released_at: listing.releasedAt,
    updated_at: listing.updatedAt,
  };
}
