import { isStore, type Store, stores } from '@shelfwise/facts/store';
import type { ListChartCategoriesReply, ListChartCategoriesRequest } from '@shelfwise/proto/chart/v1/chart';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import type { ChartParts } from '../chart-parts.ts';

/** The categories of a store, or of both; the known ones of a store that cannot be read. */
export async function listChartCategories(
  { categories }: Pick<ChartParts, 'categories'>,
  request: ListChartCategoriesRequest,
  call: CallContext,
): Promise<ListChartCategoriesReply> {
  const asked = request.store == null ? stores : [checkStore(request.store)];
  return {
    stores: await Promise.all(
      asked.map(async (store) => ({ store, categories: await categories.list(store, call) })),
    ),
  };
}

/** @throws INVALID_PARAMS for an unknown store */
function checkStore(store: string): Store {
  if (!isStore(store)) throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  return store;
}
