import { canonicalCountry, countries } from './country.ts';

test('a country is accepted in any letter case, and only where the store operates', () => {
  expect(canonicalCountry('ITUNES', 'us')).toBe('US');
  expect(canonicalCountry('ITUNES', 'XX')).toBeNull();
  expect(canonicalCountry('ITUNES', 'CN')).toBe('CN');
  expect(canonicalCountry('GPLAY', 'CN')).toBeNull();
  expect(canonicalCountry('ITUNES', 'ıt')).toBeNull();
  expect(countries.ITUNES.size).toBeGreaterThan(150);
});
