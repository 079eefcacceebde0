import { hasNoAutocomplete } from './has-no-autocomplete.ts';

test.each([
  ['an App Store with a known storefront id', 'ITUNES', 'US', false],
  ['an App Store without a known storefront id', 'ITUNES', 'KH', true],
  ['Google Play, which uses no storefront id', 'GPLAY', 'KH', false],
] as const)('%s', (_name, store, country, expected) => {
  expect(hasNoAutocomplete({ store, country })).toBe(expected);
});
