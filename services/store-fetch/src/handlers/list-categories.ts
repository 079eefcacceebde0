import type { ListCategoriesReply, ListCategoriesRequest } from '@shelfwise/proto/store/v1/store';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { checkStore } from '../check-request.ts';
import { urgent } from '../politeness/urgency.ts';
import type { StoreSource } from '../sources/source.ts';
import { beforeDeadline } from '../store-deadline.ts';
import { toReadingMessage } from './to-reading-message.ts';

/** The categories that a store lists now, OVERALL first. */
export async function listCategories(
  source: StoreSource,
  request: ListCategoriesRequest,
  call: CallContext,
): Promise<ListCategoriesReply> {
  const store = checkStore(request.store);

  const { categories, ...reading } = await beforeDeadline(call, (signal) =>
    source.categories(store, { signal, urgency: urgent }),
  );
  return { reading: toReadingMessage(reading), categories };
}
