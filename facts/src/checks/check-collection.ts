import type { Collection as CollectionMessage } from '@shelfwise/proto/store/v1/store';
import { invalidParams } from '@shelfwise/runtime/errors';
import { type Collection, collections } from '../stores/categories.ts';

/** The kinds of top chart as the services write them to each other. */
export const collectionMessages = {
  free: 'FREE',
  paid: 'PAID',
  grossing: 'GROSSING',
} as const satisfies Record<Collection, CollectionMessage>;

/** Which kind of top chart a request wants. @throws INVALID_PARAMS */
export function checkCollection(given: CollectionMessage): Collection {
  const collection = collections.find((one) => collectionMessages[one] === given);
  if (!collection) throw invalidParams({ collection: 'must be FREE, PAID or GROSSING' });
  return collection;
}
