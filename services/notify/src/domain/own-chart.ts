import { isCategory } from '@shelfwise/facts/stores/categories';
import { chartIdOf } from '@shelfwise/facts/stores/chart-key';
import { isStore } from '@shelfwise/facts/stores/store';

/**
 * The id of the top chart that an app can be in: that of its category in its country, among the free or the paid apps. Null: the
 * reading does not say its category or its price, or the store has no such chart.
 */
export function ownChart(
  storefront: { store: string; country: string } | null,
  {
    genre_key: category,
    price,
  }: { genre_key?: string | null | undefined; price?: number | null | undefined },
): string | null {
  if (!storefront || category == null || price == null) return null;
  const { store, country } = storefront;
  if (!isStore(store) || !isCategory(store, category)) return null;
  return chartIdOf({ store, country, category, collection: price > 0 ? 'paid' : 'free' });
}
