import type { Collection } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Complete } from '@shelfwise/proto/complete';
import type { Listing as ListingMessage } from '@shelfwise/proto/store/v1/listing';
import type {
  ChartedApp as ChartedAppMessage,
  FoundApp as FoundAppMessage,
} from '@shelfwise/proto/store/v1/store';
import type { AppError } from '@shelfwise/runtime/errors';
import type { Urgency } from './budget/urgency.ts';
import type { ImageType } from './icons/image-type.ts';

/** The source of an answer, and when the store was called; a snapshot belongs to the UTC day of `readAt`. */
export type Reading = { readAt: Date; source: 'sample' | 'app-store' | 'google-play' };

/*
 * Answers are the messages of the contract (proto/shelfwise/store/v1), with null where the store does not say.
 */

export type FoundApp = Complete<FoundAppMessage>;

/** A result page. `isSuspect`: it was read while its storefront showed signs of wrong result pages. */
export type FoundPage = Reading & { apps: FoundApp[]; isSuspect: boolean };

export type Listing = Complete<ListingMessage>;

/** The result for one of several requested listings: found, or the failure (APP_NOT_FOUND, STORE_FETCH_FAILED). */
export type ListingResult = {
  /** As in the request. */
  appId: string;
  outcome: (Reading & { listing: Listing }) | AppError;
};

/** A row of a top chart. Its rank is its position in the list. */
export type ChartedApp = Complete<ChartedAppMessage>;

export type ReadOptions = {
  /** Aborts when the last caller has given up. */
  signal: AbortSignal;
  /** `urgentFor` or `unhurriedFor` from budget/urgency.ts; passed on unchanged. */
  urgency: Urgency;
  /** For the log: of the request that started the read, if several share it. */
  requestId?: string | undefined;
};

/** An app's icon, at most 64 KiB. Callers share the image. */
export type Icon = { image: Buffer; type: ImageType };

export type ChartQuery = { category: string; collection: Collection };

/**
 * The requests of the service's handlers. A store that is blocked, slow, broken or shows another page rejects with
 * STORE_FETCH_FAILED. An empty list means that the store has nothing. A read whose signal aborts rejects with the
 * signal's own reason, also when it starts after the abort.
 */
export type StoreSource = StoreReads & {
  /**
   * The icon of an app that an answer of the store has shown. Rejects with NOT_FOUND when none is known, and with
   * STORE_FETCH_FAILED when it cannot be read. It takes nothing from the budgets of the other reads.
   */
  icon(store: Store, appId: string, signal: AbortSignal): Promise<Icon>;
};

/** The reads of a store's own pages. */
export type StoreReads = {
  /**
   * Apps that a search shows, in the store's order, at most `limit` (1 to 200). `onDay` (YYYY-MM-DD) requests the
   * page of another UTC day, which only the sample has: the live source rejects with INVALID_PARAMS. `hadResults`: whether the
   * caller's last page of the term had some; null: it has none. A live store's empty page rejects with
   * an unproven STORE_FETCH_FAILED until enough looks have confirmed it. `freshSince` as in `getListings`; the sample ignores it.
   * `isSuspect` is as far as this copy knew when it read the page; false for the sample.
   */
  search(
    storefront: Storefront,
    term: string,
    options: ReadOptions & {
      limit: number;
      onDay: string | null;
      hadResults?: boolean | null;
      freshSince?: Date | null;
    },
  ): Promise<FoundPage>;
  /**
   * One app's page, by package name, numeric id or bundle id. `withSubtitle` also reads the App Store's subtitle, which
   * needs another call; Google Play's short description is always read. Rejects with APP_NOT_FOUND when the storefront
   * does not have the app.
   */
  getListing(
    storefront: Storefront,
    appId: string,
    options: ReadOptions & { withSubtitle: boolean },
  ): Promise<Reading & { listing: Listing }>;
  /**
   * Several apps' pages (1 to 20), in the order of the request, with as few store calls as possible. One app's
   * failure does not affect the others. Nothing read before `freshSince` is returned; null accepts any cached page.
   */
  getListings(
    storefront: Storefront,
    appIds: readonly string[],
    options: ReadOptions & { withSubtitle: boolean; freshSince: Date | null },
  ): Promise<ListingResult[]>;
  /**
   * The store's completions of a prefix, at most 10 (App Store) or 5 (Google Play). Null when they are unknown. The
   * store may be throttling: even a prefix that always has some got none. Or it cannot be called for the prefix, or the
   * country (25 of 175 App Stores have no known number). A thorough read looks at an empty list several times before it
   * returns it. `isUncertain`: the list is empty, and a store that throttles some calls may still have suggestions. The
   * sample never throttles, so its lists are certain.
   */
  suggest(
    storefront: Storefront,
    prefix: string,
    options: ReadOptions & { isThorough?: boolean },
  ): Promise<Reading & { terms: string[] | null; isUncertain: boolean }>;
  /** A top chart in rank order, at most `limit` rows (1 to 200); the App Store shows 100. `onDay` as in `search`. */
  chart(
    storefront: Storefront,
    query: ChartQuery & { limit: number },
    options: ReadOptions & { onDay?: string | undefined },
  ): Promise<Reading & { apps: ChartedApp[] }>;
};

/**
 * The same requests to one live store, which has only the current day and no cache. A read whose signal aborts ends
 * soon, with a failure or with an incomplete answer; the live source drops either.
 */
export type LiveStore = {
  search(
    storefront: Storefront,
    term: string,
    options: ReadOptions & { limit: number },
  ): Promise<Omit<FoundPage, 'isSuspect'>>;
  getListing: StoreSource['getListing'];
  getListings(
    storefront: Storefront,
    appIds: readonly string[],
    options: ReadOptions & { withSubtitle: boolean },
  ): ReturnType<StoreSource['getListings']>;
  /** `isCanary` marks a prefix that always has suggestions: if the store returns none, the call fails as throttled. */
  suggest(
    storefront: Storefront,
    prefix: string,
    options: ReadOptions & { isCanary?: boolean },
  ): Promise<Reading & { terms: string[] | null }>;
  chart(
    storefront: Storefront,
    query: ChartQuery & { limit: number },
    options: ReadOptions,
  ): ReturnType<StoreSource['chart']>;
};

export type LiveStores = Readonly<Record<Store, LiveStore>>;
