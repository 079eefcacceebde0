import { storeInSentence } from './store.ts';

test('a sentence names each store with the right article', () => {
  expect(`from ${storeInSentence('ITUNES')}`).toBe('from the App Store');
  expect(`from ${storeInSentence('GPLAY')}`).toBe('from Google Play');
});
