import type { Collection } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';

/** Identifies a top chart. */
export type ChartKey = {
  store: Store;
  /** ISO 3166-1 alpha-2, upper case */
  country: string;
  /** OVERALL or the store's own key */
  category: string;
  collection: Collection;
};

/** One string per chart. The separator cannot occur in any part. */
export function chartIdOf({ store, country, category, collection }: ChartKey): string {
  return `${store}:${country}:${category}:${collection}`;
}
