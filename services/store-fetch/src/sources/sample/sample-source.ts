import { isCategory } from '@shelfwise/facts/stores/categories';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { Listing, ListingResult, Reading, ReadOptions, StoreSource } from '../../source.ts';
import { iconNotFound } from '../../store-health/store-failure.ts';
import { createSampleCatalog } from './catalog.ts';
import { drawIcon } from './draw-icon.ts';

/** At least as many as any store suggests; the catalog applies the limit of the store. */
const allSuggestions = 10;

/**
 * The fictional store, with the interface of the live stores. It answers immediately and never with STORE_FETCH_FAILED.
 */
export function createSampleSource({
  now,
  createCatalog = createSampleCatalog,
}: {
  now: () => Date;
  createCatalog?: typeof createSampleCatalog | undefined;
}): StoreSource {
  // The clock is read once per call, so that even at midnight an answer belongs to the day of its `readAt`. All calls
  // can share the variable, because the catalog answers synchronously.
  let readAt = now();
  const catalog = createCatalog({ now: () => readAt });
  const startReading = ({ signal }: ReadOptions, onDay: string | null = null): Reading => {
    signal.throwIfAborted();
    readAt = onDay === null ? now() : momentOn(onDay, now());
    return { readAt, source: 'sample' };
  };
  /** As on the live App Store, the subtitle is null unless it is requested. */
  const listingOf = (storefront: Storefront, appId: string, withSubtitle: boolean): Listing => {
    const listing = catalog.listing(storefront, appId);
    return withSubtitle || storefront.store === 'GPLAY' ? listing : { ...listing, subtitle: null };
  };

  return {
    search: async (storefront, term, { limit, onDay, ...options }) => {
      const reading = startReading(options, onDay);
      return { ...reading, apps: catalog.search(storefront, term, limit), isSuspect: false };
    },
    getListing: async (storefront, appId, { withSubtitle, ...options }) => {
      const reading = startReading(options);
      return { ...reading, listing: listingOf(storefront, appId, withSubtitle) };
    },
    getListings: async (storefront, appIds, { withSubtitle, ...options }) => {
      const reading = startReading(options);
      return appIds.map((appId) =>
        resultOf(appId, () => ({ ...reading, listing: listingOf(storefront, appId, withSubtitle) })),
      );
    },
    suggest: async (storefront, prefix, options) => {
      const reading = startReading(options);
      return { ...reading, terms: catalog.suggest(storefront, prefix, allSuggestions), isUncertain: false };
    },
    chart: async (storefront, query, { onDay, ...options }) => {
      const reading = startReading(options, onDay);
      const { store } = storefront;
      if (!isCategory(store, query.category))
        throw invalidParams({ category: `is not a category of ${store}` });
      return { ...reading, apps: catalog.chart(storefront, query) };
    },
    icon: async (store, appId, signal) => {
      signal.throwIfAborted();
      const app = catalog.apps(store).find((one) => one.appId === appId);
      if (!app) throw iconNotFound();
      return { image: drawIcon(app.brand.seed), type: 'image/png' };
    },
  };
}

/** Noon of a past day, or `now` for today. @throws INVALID_PARAMS for a future day */
function momentOn(day: string, now: Date): Date {
  const today = utcDay(now);
  if (day > today) throw invalidParams({ on_day: `is after today (${today}, UTC)` });
  return day === today ? now : new Date(`${day}T12:00:00Z`);
}

function resultOf(appId: string, read: () => Exclude<ListingResult['outcome'], AppError>): ListingResult {
  try {
    return { appId, outcome: read() };
  } catch (error) {
    if (error instanceof AppError) return { appId, outcome: error };
    throw error;
  }
}
