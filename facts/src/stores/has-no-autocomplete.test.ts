import { hasNoAutocomplete } from './has-no-autocomplete.ts';

test.each([
  ['an App Store whose number is known', 'ITUNES', 'US', false],
  ['an App Store whose number is not known', 'ITUNES', 'KH', true],
  ['Google Play, which goes by no number', 'GPLAY', 'KH', false],
] as const)('%s', (_name, store, country, expected) => {
  expect(hasNoAutocomplete({ store, country })).toBe(expected);
});
