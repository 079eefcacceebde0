import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { checkWords } from './check-words.ts';
import { readableText } from './text-units.ts';

test('a text that NFKC expands is read up to its bound only', () => {
  expect(readableText('ﷺ'.repeat(20_000), 16_000)).toHaveLength(16_000);
  expect(readableText('\u3316'.repeat(20_000), 120)).toBe('キロメートル'.repeat(20));
});

test.each(listingFields.GPLAY)(
  'words in the $label are found up to four times its limit, not beyond',
  (field) => {
    const before = (units: number) => checkWords('GPLAY', field, `${'.'.repeat(units)} iPhone`).length;
    expect(before(4 * field.limit - 7)).toBe(1);
    expect(before(4 * field.limit)).toBe(0);
  },
);
