import { checkCollection } from '@shelfwise/facts/checks/check-collection';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import { isCategory } from '@shelfwise/facts/stores/categories';
import type { ChartKey } from '@shelfwise/facts/stores/chart-key';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import type { GetTopChartRequest } from '@shelfwise/proto/chart/v1/chart';
import { type AppError, invalidParams } from '@shelfwise/runtime/errors';

/** The chart that a request or an event names. @throws INVALID_PARAMS */
export function checkChart(
  request: Pick<GetTopChartRequest, 'store' | 'country' | 'category' | 'collection'>,
): ChartKey {
  // A chart has no language, but the check requires one.
  const { store, country } = checkStorefront({ ...request, lang: 'en' });
  const { category } = request;
  if (!isCategory(store, category)) throw unknownCategory(store);
  const collection = checkCollection(request.collection);
  return { store, country, category, collection };
}

function unknownCategory(store: Store): AppError {
  return invalidParams({
    category: `is not a category of this store (${storeNames[store]}): GET /api/v1/top-charts/categories lists them`,
  });
}
