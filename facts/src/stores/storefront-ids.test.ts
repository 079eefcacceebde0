import { countries } from './country.ts';
import { appStoreStorefrontId } from './storefront-ids.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const known = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((country) => appStoreStorefrontId(country) !== null);

test('a storefront id has six digits and belongs to one country', () => {
  const ids = known.map(appStoreStorefrontId);
  expect(ids.filter((id) => !/^143\d{3}$/.test(id ?? ''))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['US', '143441'],
  ['GB', '143444'],
  ['JP', '143462'],
  ['DE', '143443'],
])('%s is %s', (country, id) => expect(appStoreStorefrontId(country)).toBe(id));

test('150 App Store countries have a known storefront id; the others opened later', () => {
  const missing = [...countries.ITUNES].filter((country) => appStoreStorefrontId(country) === null);
  expect(countries.ITUNES.size - missing.length).toBe(150);
  expect(missing).toEqual(
    'AF AL BA BT CD CG CM CV GA GE IQ KG KH LA LR LY MA ME MM NR RW TO VU XK ZM'.split(' '),
  );
});

test('Bangladesh and Liechtenstein have a storefront id but no App Store', () => {
  const without = known.filter((country) => !countries.ITUNES.has(country));
  expect(without).toEqual(['BD', 'LI']);
  for (const country of without) expect(countries.GPLAY.has(country)).toBe(true);
});

test.each(['', 'us', 'USA', 'XX', '__proto__'])(
  '%j is not the canonical spelling of a country',
  (country) => {
    expect(appStoreStorefrontId(country)).toBeNull();
  },
);
