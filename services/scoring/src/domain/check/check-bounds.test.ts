import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { stores } from '@shelfwise/facts/stores/store';
import { checkMetadata } from './check-metadata.ts';
import { checkSigns } from './check-signs.ts';
import { checkWords } from './check-words.ts';
import { readableText } from './text-units.ts';

test('a text that NFKC expands is read up to its bound only', () => {
  expect(readableText('ﷺ'.repeat(20_000), 16_000)).toHaveLength(16_000);
  expect(readableText('\u3316'.repeat(20_000), 120)).toBe('キロメートル'.repeat(20));
});

test('a text of combining marks is normalized without long runs of them, whose time grows with the square', () => {
  const text = `a${'\u0315'.repeat(10_000)}${'\u0316'.repeat(10_000)}`;
  const normalize = jest.spyOn(String.prototype, 'normalize');
  for (const store of stores)
    checkMetadata(store, { title: text, subtitle: text, description: text, kw_field: text });
  const longest = normalize.mock.contexts.map((given) => /\p{M}{31}/u.test(String(given)));
  normalize.mockRestore();
  expect(longest.length).toBeGreaterThan(3);
  expect(longest).not.toContain(true);
});

test.each(listingFields.ITUNES)('so are signs in the $label', (field) => {
  const before = (units: number) => checkSigns('ITUNES', field, `${'.'.repeat(units)}📷`).length;
  expect(before(4 * field.limit - 2)).toBe(1);
  expect(before(4 * field.limit)).toBe(0);
});

test.each(listingFields.GPLAY)(
  'words in the $label are found up to four times its limit, not beyond',
  (field) => {
    const before = (units: number) => checkWords('GPLAY', field, `${'.'.repeat(units)} iPhone`).length;
    expect(before(4 * field.limit - 7)).toBe(1);
    expect(before(4 * field.limit)).toBe(0);
  },
);
