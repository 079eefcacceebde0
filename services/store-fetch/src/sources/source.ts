import type { Store } from '@shelfwise/facts/store';

/** One store in one country and one language, all canonical. */
export type Storefront = { store: Store; country: string; lang: string };

/** Where an answer comes from and when the store was read; a day's snapshot bears the UTC day of `readAt`. */
export type Reading = { readAt: Date; source: 'sample' | 'app-store' };

/** A row of a result page. Null: the store does not say. */
export type FoundApp = {
  /** Package name (Google Play) or numeric id (App Store). */
  appId: string;
  title: string;
  icon: string;
  developerName: string;
  genre: string | null;
  /** Average rating, 0 to 5; null when nobody has rated it. */
  score: number | null;
  /** Number of ratings in this storefront. */
  ratings: number | null;
};

/** An app's page in one storefront. Null: the store does not say. */
export type Listing = {
  /** Canonical: the numeric id on the App Store, whatever was asked with. */
  appId: string;
  /** The App Store's bundle id; on Google Play the package name again. */
  bundleId: string;
  title: string;
  description: string;
  url: string;
  icon: string;
  screenshots: string[];
  developerName: string;
  genre: string;
  version: string | null;
  score: number | null;
  ratings: number | null;
  releasedAt: Date | null;
  updatedAt: Date | null;
};

/**
 * What a store can be asked. A store that is blocked, slow, broken or shows another page rejects with
 * STORE_FETCH_FAILED; an empty list means that the store itself says that there is nothing.
 */
export type StoreSource = {
  /** Apps that a search shows, in the store's order, `limit` (1 to 200) at most. */
  search(
    storefront: Storefront,
    term: string,
    options: { limit: number; signal: AbortSignal },
  ): Promise<Reading & { apps: FoundApp[] }>;
  /** One app's page, by package name, numeric id or bundle id; APP_NOT_FOUND when the storefront does not have it. */
  getListing(
    storefront: Storefront,
    appId: string,
    options: { signal: AbortSignal },
  ): Promise<Reading & { listing: Listing }>;
};
