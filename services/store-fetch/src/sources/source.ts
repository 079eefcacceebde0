import type { Collection } from '@shelfwise/facts/stores/categories';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { AppError } from '@shelfwise/runtime/errors';
import type { Urgency } from '../call-budget/urgency.ts';

/** Where an answer comes from and when the store was read; a snapshot is of the UTC day of `readAt`. */
export type Reading = { readAt: Date; source: 'sample' | 'app-store' | 'google-play' };

/** A row of a result page. Null: the store does not say. */
export type FoundApp = {
  /** Package name (Google Play) or numeric id (App Store). */
  appId: string;
  title: string;
  icon: string;
  developerName: string;
  genre: string | null;
  /** The store's key of the genre: 6007, PRODUCTIVITY. */
  genreKey: string | null;
  /** Average rating, 0 to 5; null when nobody has rated it. */
  score: number | null;
  /** Number of ratings in this storefront. */
  ratings: number | null;
  /** Of the newest release. */
  updatedAt: Date | null;
};

/** An app's page in one storefront. Null: the store does not say. */
export type Listing = {
  /** Canonical: the numeric id on the App Store, whatever was asked with. */
  appId: string;
  /** The App Store's bundle id; on Google Play the package name again. */
  bundleId: string;
  title: string;
  /** Subtitle (App Store) or short description (Google Play). Empty: it has none; null: it was not read. */
  subtitle: string | null;
  description: string;
  url: string;
  icon: string;
  screenshots: string[];
  developerName: string;
  genre: string;
  /** The store's key of the genre: 6007, PRODUCTIVITY. */
  genreKey: string | null;
  version: string | null;
  score: number | null;
  ratings: number | null;
  /** In the storefront's currency; 0 is free. */
  price: number | null;
  /** ISO 4217 */
  currency: string | null;
  /** Google Play only: at least so many, as the store shows them. */
  installs: number | null;
  /** BCP 47; empty when the store does not say. */
  languages: string[];
  hasVideo: boolean | null;
  releasedAt: Date | null;
  updatedAt: Date | null;
};

/** One of several listings asked for at once: found, or why not (APP_NOT_FOUND, STORE_FETCH_FAILED). */
export type ListingResult = {
  /** As it was asked for. */
  appId: string;
  outcome: (Reading & { listing: Listing }) | AppError;
};

/** A row of a top chart; its rank is its place. Null: the store does not say, or it could not be read. */
export type ChartedApp = {
  appId: string;
  title: string;
  icon: string;
  developerName: string;
  score: number | null;
  price: number | null;
  currency: string | null;
};

export type ReadOptions = {
  /**
   * Fires when no caller waits any more. A reading that it ends, or finds ended, rejects with the signal's own reason, also
   * one of several listings.
   */
  signal: AbortSignal;
  /** `urgent` or `forDailyRun`, of call-budget/urgency.ts; passed on unchanged. */
  urgency: Urgency;
};

/**
 * What a store can be asked. A store that is blocked, slow, broken or shows another page rejects with
 * STORE_FETCH_FAILED; an empty list means that the store itself says that there is nothing.
 */
export type StoreSource = {
  /**
   * Apps that a search shows, in the store's order, `limit` (1 to 200) at most. `onDay` (YYYY-MM-DD) asks for the page
   * of another UTC day, which only the sample has: a live store rejects with INVALID_PARAMS.
   */
  search(
    storefront: Storefront,
    term: string,
    options: ReadOptions & { limit: number; onDay: string | null },
  ): Promise<Reading & { apps: FoundApp[] }>;
  /** One app's page, by package name, numeric id or bundle id; APP_NOT_FOUND when the storefront does not have it. */
  getListing(
    storefront: Storefront,
    appId: string,
    options: ReadOptions & { withSubtitle: boolean },
  ): Promise<Reading & { listing: Listing }>;
  /**
   * Several apps' pages (1 to 20), in the order asked, with as few calls as the store allows; each is found or fails
   * alone. Nothing cached before `freshSince` is returned.
   */
  getListings(
    storefront: Storefront,
    appIds: readonly string[],
    options: ReadOptions & { withSubtitle: boolean; freshSince: Date | null },
  ): Promise<ListingResult[]>;
  /**
   * What the search field completes a prefix to, 10 (App Store) or 5 (Google Play) at most. Null: that is unknown. The
   * store gave nothing, and nothing for a prefix that always has suggestions either, so that it may be throttling;
   * or it was not asked, because the number of the country's App Store is not known (25 of 175 countries), or because
   * Google Play cannot be asked for what the prefix is made of. `isCanary` asks with a prefix that always has some: no
   * suggestions are then the failure of a live store that throttles.
   */
  suggest(
    storefront: Storefront,
    prefix: string,
    options: ReadOptions & { isCanary?: boolean },
  ): Promise<Reading & { terms: string[] | null }>;
  /** A top chart in rank order, `limit` (1 to 200) at most; the App Store shows 100. With `onDay` as for a search. */
  chart(
    storefront: Storefront,
    query: { category: string; collection: Collection; limit: number },
    options: ReadOptions & { onDay?: string | undefined },
  ): Promise<Reading & { apps: ChartedApp[] }>;
};
