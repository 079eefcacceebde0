import { checkCollection } from '@shelfwise/facts/checks/check-collection';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { GetChartReply, GetChartRequest } from '@shelfwise/proto/store/v1/store';
import { checkDay, checkText } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoreSource } from '../source.ts';
import { beforeDeadline, readOptions } from './before-deadline.ts';
import { checkLimit } from './check-request.ts';
import { toReadingMessage } from './to-reading-message.ts';

const maxCategoryLength = 64;

type Deps = { source: Pick<StoreSource, 'chart'> };

/** A top chart, in rank order. The source decides which categories exist. */
export async function getChart(
  { source }: Deps,
  request: GetChartRequest,
  call: CallContext,
): Promise<GetChartReply> {
  const storefront = checkStorefront(request.storefront);
  const category = checkText('category', request.category, 1, maxCategoryLength);
  const collection = checkCollection(request.collection);
  const limit = checkLimit(request.limit);
  const onDay = request.on_day == null ? undefined : checkDay('on_day', request.on_day);

  const { apps, ...reading } = await beforeDeadline(call, (signal) =>
    source.chart(
      storefront,
      { category, collection, limit },
      { ...readOptions(request, call, signal), onDay },
    ),
  );
  return { reading: toReadingMessage(reading), apps };
}
