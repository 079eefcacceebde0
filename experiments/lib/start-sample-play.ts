import type { Collection } from '@shelfwise/facts/stores/categories';
import { AppError } from '@shelfwise/runtime/errors';
import type { Listing } from '@shelfwise/store-fetch/source';
import { createSampleCatalog } from '@shelfwise/store-fetch/sources/sample/catalog';
import type { PlayApp } from '../../services/store-fetch/test/fake-store/google-play-apps.ts';
import {
  answerGooglePlay,
  type PlayShelf,
} from '../../services/store-fetch/test/fake-store/google-play-pages.ts';
import {
  type FakeStore,
  startFakeStore,
} from '../../services/store-fetch/test/fake-store/start-fake-store.ts';

const lang = 'en-US';
/** As many as a result page of Google Play shows, and as many as the charts of this stand-in have. */
const maxResults = 30;

/**
 * A stand-in for Google Play on a free loopback port, in the store's own shapes: the sample's English pages as on one UTC
 * day (YYYY-MM-DD), whatever the day of the call. Faults are for searches only: `POST /__control {"mode": ..., "rate": ...}`.
 */
export async function startSamplePlay(day: string): Promise<FakeStore> {
  const shelf = createShelf(new Date(`${day}T12:00:00Z`));
  const fake = await startFakeStore({
    answerOf: (call) => answerGooglePlay(call, shelf),
    random: Math.random,
  });
  fake.setFault('ok', { only: '/store/search' });
  return fake;
}

function createShelf(at: Date): PlayShelf {
  const catalog = createSampleCatalog({ now: () => at });
  const storefront = (country: string) => ({ store: 'GPLAY', country, lang }) as const;
  const read = (country: string, rows: readonly { app_id: string }[]) =>
    rows.map(({ app_id: appId }) => toPlayApp(catalog.listing(storefront(country), appId)));
  return {
    find(appId, country) {
      try {
        return toPlayApp(catalog.listing(storefront(country), appId));
      } catch (error) {
        if (error instanceof AppError && error.code === 'APP_NOT_FOUND') return undefined;
        throw error;
      }
    },
    search: (term, country) => read(country, catalog.search(storefront(country), term, maxResults)),
    complete: (prefix, country) => catalog.suggest(storefront(country), prefix, 5),
    chart(category, cluster, country) {
      const query = {
        category: category === 'APPLICATION' ? 'OVERALL' : category,
        collection: collections[cluster] ?? 'free',
        limit: maxResults,
      };
      return read(country, catalog.chart(storefront(country), query));
    },
  };
}

const collections: Readonly<Record<string, Collection>> = {
  topselling_free: 'free',
  topselling_paid: 'paid',
  topgrossing: 'grossing',
};

function toPlayApp(listing: Listing): PlayApp {
  const { app_id: appId, title, score, ratings, released_at: releasedAt } = listing;
  return {
    appId,
    title: title ?? '',
    developer: listing.developer_name ?? '',
    category: listing.genre_key ?? '',
    genre: listing.genre ?? '',
    short: listing.subtitle ?? '',
    about: listing.description ?? '',
    rated: score !== null && ratings !== null ? [score, ratings] : undefined,
    installs: listing.installs ?? 0,
    screenshots: listing.screenshots.length,
    price: listing.price || undefined,
    version: listing.version ?? undefined,
    releasedAt: releasedAt ? releasedAt.getTime() / 1000 : undefined,
  };
}
