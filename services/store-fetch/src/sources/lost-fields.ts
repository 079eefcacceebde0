import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import type { ChartedApp, FoundApp, LiveStore, LiveStores } from '../source.ts';
import type { Endpoint } from '../store-health/endpoints.ts';

/** Fields, by their names in answers, that no row of a page has. */
export type LostFields = { endpoint: Endpoint; country: string; fields: string[] };

/** Fewer unreadable rows may be odd apps. */
const minRows = 3;

/**
 * The stores, with a notice of each page of three rows or more on which none has a field: the format may have changed.
 * Such a page is an answer, because ranks do not need the field.
 */
export function reportLostFields(stores: LiveStores, onLost: (lost: LostFields) => void): LiveStores {
  const report = <Row extends object>(
    endpoint: Endpoint,
    { country }: Storefront,
    rows: readonly Row[],
    unreadableIn: (row: Row) => readonly string[],
  ) => {
    const fields = lostFields(rows, unreadableIn);
    if (fields.length > 0) onLost({ endpoint, country, fields });
  };

  const watch = (store: LiveStore, { search, chart, listings }: Pages): LiveStore => ({
    ...store,
    async search(storefront, term, options) {
      const page = await store.search(storefront, term, options);
      report(search.endpoint, storefront, page.apps, search.unreadableIn);
      return page;
    },
    async chart(storefront, query, options) {
      const page = await store.chart(storefront, query, options);
      report(chart.endpoint, storefront, page.apps, chart.unreadableIn);
      return page;
    },
    async getListings(storefront, appIds, options) {
      const results = await store.getListings(storefront, appIds, options);
      const found = results.flatMap(({ outcome }) => (outcome instanceof AppError ? [] : [outcome.listing]));
      report(listings, storefront, found, ({ unreadable }) => unreadable);
      return results;
    },
  });

  return { ITUNES: watch(stores.ITUNES, appStorePages), GPLAY: watch(stores.GPLAY, googlePlayPages) };
}

/** The pages of a store, and which fields of a row are unreadable if they are null. */
type Pages = {
  search: { endpoint: Endpoint; unreadableIn: (app: FoundApp) => string[] };
  chart: { endpoint: Endpoint; unreadableIn: (app: ChartedApp) => string[] };
  listings: Endpoint;
};

const texts = ['title', 'icon', 'developer_name'] as const;
const chartFields = [...texts, 'price', 'currency'] as const;

const appStorePages: Pages = {
  search: {
    endpoint: 'itunes-search',
    unreadableIn: (app) => [
      ...nullsIn(app, [...texts, 'genre', 'genre_key', 'ratings', 'updated_at']),
      ...(app.score === null && app.ratings !== 0 ? ['score'] : []),
    ],
  },
  chart: { endpoint: 'itunes-chart', unreadableIn: (app) => nullsIn(app, chartFields) },
  listings: 'itunes-lookup',
};

/** Without the score of a row: apps without ratings have none, and a small country may have pages of them. */
const googlePlayPages: Pages = {
  search: { endpoint: 'play-search', unreadableIn: (app) => nullsIn(app, texts) },
  chart: { endpoint: 'play-chart', unreadableIn: (app) => nullsIn(app, chartFields) },
  listings: 'play-app',
};

function nullsIn<Row, Field extends keyof Row & string>(row: Row, fields: readonly Field[]): Field[] {
  return fields.filter((field) => row[field] === null);
}

function lostFields<Row extends object>(
  rows: readonly Row[],
  unreadableIn: (row: Row) => readonly string[],
): string[] {
  const unreadable = rows.flatMap((row) => [...unreadableIn(row)]);
  return [...new Set(unreadable)].filter(
    (field) =>
      unreadable.filter((other) => other === field).length >= minRows &&
      !rows.some((row) => hasValue(row[field as keyof Row])),
  );
}

/** An unreadable list is empty. */
function hasValue(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
