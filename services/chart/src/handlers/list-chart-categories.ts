import { categories } from '@shelfwise/facts/stores/categories';
import { isStore, type Store, stores } from '@shelfwise/facts/stores/store';
import type { ListChartCategoriesReply, ListChartCategoriesRequest } from '@shelfwise/proto/chart/v1/chart';
import { invalidParams } from '@shelfwise/runtime/errors';

/**
 * Lists the chart categories of one store or of both. The list is fixed and no store is read: the HTML of Google
 * Play's pages does not contain its categories.
 */
export async function listChartCategories(
  request: ListChartCategoriesRequest,
): Promise<ListChartCategoriesReply> {
  const requested = request.store == null ? stores : [checkStore(request.store)];
  return { stores: requested.map((store) => ({ store, categories: [...categories[store]] })) };
}

/** @throws INVALID_PARAMS for an unknown store */
function checkStore(store: string): Store {
  if (!isStore(store)) throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  return store;
}
