import { collections } from '@shelfwise/facts/stores/categories';
import { checkCollection, collectionMessages } from './check-collection.ts';

test('every kind of top chart is understood as it is written', () => {
  for (const collection of collections)
    expect(checkCollection(collectionMessages[collection])).toBe(collection);
  expect(checkCollection('PAID')).toBe('paid');
});

test('a kind that is not named, or that nobody knows, is refused by name', () => {
  for (const given of ['COLLECTION_UNSPECIFIED', 'UNRECOGNIZED', 'NEW'] as never[])
    expect(() => checkCollection(given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMS',
        message: 'collection must be FREE, PAID or GROSSING',
      }),
    );
});
