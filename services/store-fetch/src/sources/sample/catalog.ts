import type { Collection } from '@shelfwise/facts/stores/categories';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { LRUCache } from 'lru-cache';
import type { ChartedApp, FoundApp, Listing } from '../../source.ts';
import { appNotFound } from '../../store-health/store-failure.ts';
import { createApps, isSoldIn, type SampleApp } from './apps.ts';
import { createBrands } from './brands.ts';
import { chartedApp } from './charted-app.ts';
import { chartOf } from './charts.ts';
import { sampleContent } from './content.ts';
import { dayOf } from './day.ts';
import { createDocuments, type Documents } from './documents.ts';
import { foundApp } from './found-app.ts';
import { rankResults } from './rank-results.ts';
import { releaseShownOn } from './releases.ts';
import { sampleListing } from './sample-listing.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';
import { createSuggestions, type Suggestions } from './suggestions.ts';
import { type WrittenLanguage, writtenLanguage, writtenLanguages } from './written-language.ts';

/** The number of rows that each store shows at most. */
const maxResults = { ITUNES: 200, GPLAY: 30 } as const;
const maxSuggestions = { ITUNES: 10, GPLAY: 5 } as const;
const maxChartRows = { ITUNES: 100, GPLAY: 200 } as const;

/**
 * The sample store. An answer depends only on the storefront, the request and the UTC day of `now`: it is the same in
 * every process.
 */
export type SampleCatalog = {
  /** Apps in the store's order; empty when no app matches the term. */
  search(storefront: Storefront, term: string, limit: number): FoundApp[];
  /**
   * One app's page by app id or bundle id.
   * @throws APP_NOT_FOUND when the app is not sold in the country or not released yet
   */
  listing(storefront: Storefront, appId: string): Listing;
  /** Searches that start with the prefix, the most popular first. */
  suggest(storefront: Storefront, prefix: string, limit: number): string[];
  /** The day's top chart, in rank order; empty for a category without apps. */
  chart(
    storefront: Storefront,
    options: { category: string; collection: Collection; limit: number },
  ): ChartedApp[];
  /** All apps of a store, released or not: for statistics and tests. */
  apps(store: Store): readonly SampleApp[];
};

export function createSampleCatalog({ now }: { now: () => Date }): SampleCatalog {
  const { topics } = sampleContent();
  const allApps = createApps(createBrands(topics));
  const appsOf = (store: Store) => allApps.filter((app) => app.store === store);
  const byStore: Record<Store, readonly SampleApp[]> = { ITUNES: appsOf('ITUNES'), GPLAY: appsOf('GPLAY') };
  const byId = new Map(
    allApps.flatMap((app) => [app.appId, app.bundleId].map((id) => [`${app.store}/${id}`, app])),
  );
  const storeLanguageCount = stores.length * writtenLanguages.length;
  const documents = new LRUCache<string, Documents>({ max: storeLanguageCount });
  // There is one index per day, store and language. The cache has room for the indexes of one day, so that memory does
  // not grow with the number of requested days.
  const indexes = new LRUCache<string, SearchIndex>({ max: storeLanguageCount });
  const suggestions = new LRUCache<string, Suggestions>({ max: storeLanguageCount });

  const documentsOf = (store: Store, language: WrittenLanguage) =>
    getOrCreate(documents, `${store}/${language}`, () => createDocuments(byStore[store], language));
  const indexFor = (store: Store, language: WrittenLanguage, day: number) =>
    getOrCreate(indexes, `${store}/${language}/${day}`, () =>
      createSearchIndex(documentsOf(store, language).on(day)),
    );
  const suggestionsFor = (store: Store, language: WrittenLanguage) =>
    getOrCreate(suggestions, `${store}/${language}`, () =>
      createSuggestions(topics, byStore[store], { store, language }),
    );

  return {
    search: ({ store, country, lang }, term, limit) => {
      const day = dayOf(now());
      const normalTerm = normalizeKeyword(term);
      const matches = indexFor(store, writtenLanguage(lang), day).match(normalTerm);
      return rankResults(matches, normalTerm, { country, day })
        .slice(0, Math.min(limit, maxResults[store]))
        .map((document) => foundApp(document, { country, day }));
    },
    listing: (storefront, appId) => {
      const day = dayOf(now());
      const app = byId.get(`${storefront.store}/${canonicalId(storefront.store, appId)}`);
      const release = app && isSoldIn(app, storefront.country) ? releaseShownOn(app, day) : null;
      if (!app || !release) throw appNotFound(storefront, appId);
      return sampleListing(app, release, { storefront, day });
    },
    suggest: ({ store, country, lang }, prefix, limit) =>
      suggestionsFor(store, writtenLanguage(lang)).complete(prefix, {
        country,
        day: dayOf(now()),
        limit: Math.min(limit, maxSuggestions[store]),
      }),
    chart: (storefront, { category, collection, limit }) => {
      const day = dayOf(now());
      const { store, country } = storefront;
      return chartOf(byStore[store], { country, day, category, collection })
        .slice(0, Math.min(limit, maxChartRows[store]))
        .map((app) => chartedApp(app, { storefront, day }));
    },
    apps: (store) => byStore[store],
  };
}

function getOrCreate<Value extends object>(
  cache: LRUCache<string, Value>,
  key: string,
  create: () => Value,
): Value {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}

/** Leading zeros do not change an App Store number. */
function canonicalId(store: Store, appId: string): string {
  return store === 'ITUNES' ? appId.replace(/^0+(?=\d+$)/, '') : appId;
}
