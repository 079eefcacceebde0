import type { Listing } from '@shelfwise/proto/store/v1/listing';
import type { AppDetails } from '../stores/app-details-store.ts';

/**
 * What the scores need from an app's own page on Google Play. The page of an unrated app shows neither an average nor
 * a count. Its ratings are 0 and not unknown, because the page was read. With an average but no count, the ratings
 * are unknown, and so they are when they could not be read.
 */
export function detailsOfListing(
  listing: Pick<
    Listing,
    'genre' | 'genre_key' | 'score' | 'ratings' | 'installs' | 'updated_at' | 'unreadable'
  >,
): Omit<AppDetails, 'app_id' | 'read_at'> {
  const { score } = listing;
  const isUnrated = score == null && !listing.unreadable.includes('ratings');
  const unshown = isUnrated ? 0 : null;
  return {
    genre: listing.genre ?? null,
    genre_key: listing.genre_key ?? null,
    rating: score ?? null,
    ratings: listing.ratings ?? unshown,
    installs: listing.installs ?? null,
    updated_at: listing.updated_at ?? null,
  };
}
