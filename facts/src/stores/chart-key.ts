import { type Collection, collections, isCategory } from './categories.ts';
import { isStore, type Store } from './store.ts';

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

/** The chart with this id; null: there is none. */
export function chartKeyOf(id: string): ChartKey | null {
  const [store = '', country = '', category = '', name = '', ...rest] = id.split(':');
  const collection = collections.find((one) => one === name);
  if (rest.length > 0 || !isStore(store) || !isCategory(store, category) || !collection) return null;
  return /^[A-Z]{2}$/.test(country) ? { store, country, category, collection } : null;
}
