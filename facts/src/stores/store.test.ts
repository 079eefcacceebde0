import { storeInSentence } from './store.ts';

test('a store is spoken of as people do', () => {
  expect(`from ${storeInSentence('ITUNES')}`).toBe('from the App Store');
  expect(`from ${storeInSentence('GPLAY')}`).toBe('from Google Play');
});
