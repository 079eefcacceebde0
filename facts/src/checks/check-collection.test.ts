import { collections } from '@shelfwise/facts/stores/categories';
import { checkCollection, collectionMessages } from './check-collection.ts';

test('every chart kind is accepted as the proto spells it', () => {
  for (const collection of collections)
    expect(checkCollection(collectionMessages[collection])).toBe(collection);
  expect(checkCollection('PAID')).toBe('paid');
});

test('an unspecified or unknown chart kind is refused with its field name', () => {
  for (const given of ['COLLECTION_UNSPECIFIED', 'UNRECOGNIZED', 'NEW'] as never[])
    expect(() => checkCollection(given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMS',
        message: 'collection must be FREE, PAID or GROSSING',
      }),
    );
});
