import type { Collection } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';

/** One top chart: of a store in a country, of a category, of a kind. */
export type ChartKey = {
  store: Store;
  /** ISO 3166-1 alpha-2, upper case */
  country: string;
  /** OVERALL or the store's own key */
  category: string;
  collection: Collection;
};

/** One text per chart; no part can hold the separator. */
export function chartIdOf({ store, country, category, collection }: ChartKey): string {
  return `${store}:${country}:${category}:${collection}`;
}
