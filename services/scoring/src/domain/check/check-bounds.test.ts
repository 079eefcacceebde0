import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { checkWords } from './check-words.ts';
import { readableText } from './text-units.ts';

test('a text that is far longer once it is read is read to its bound only', () => {
  expect(readableText('ﷺ'.repeat(20_000), 16_000)).toHaveLength(16_000);
  expect(readableText('\u3316'.repeat(20_000), 120)).toBe('キロメートル'.repeat(20));
});

test.each(listingFields.GPLAY)(
  'words in the $label are found to four times its limit, no further',
  (field) => {
    const before = (units: number) => checkWords('GPLAY', field, `${'.'.repeat(units)} iPhone`).length;
    expect(before(4 * field.limit - 7)).toBe(1);
    expect(before(4 * field.limit)).toBe(0);
  },
);
