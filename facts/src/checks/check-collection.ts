import type { Collection as CollectionMessage } from '@shelfwise/proto/store/v1/store';
import { invalidParams } from '@shelfwise/runtime/errors';
import { type Collection, collections } from '../stores/categories.ts';

/** The chart kinds as proto enum values. */
export const collectionMessages = {
  free: 'FREE',
  paid: 'PAID',
  grossing: 'GROSSING',
} as const satisfies Record<Collection, CollectionMessage>;

/** The chart kind of a request. @throws INVALID_PARAMS */
export function checkCollection(message: CollectionMessage): Collection {
  const collection = collections.find((key) => collectionMessages[key] === message);
  if (!collection) throw invalidParams({ collection: 'must be FREE, PAID or GROSSING' });
  return collection;
}
