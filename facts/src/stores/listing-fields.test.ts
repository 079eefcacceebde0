import fc from 'fast-check';
import { countUnits, listingFields, normalizeNewlines } from './listing-fields.ts';

test('the fields and limits of each store match its console', () => {
  const rows = (store: 'ITUNES' | 'GPLAY') =>
    listingFields[store].map(({ key, label, limit, isIndexed }) => [key, label, limit, isIndexed]);
  expect(rows('ITUNES')).toEqual([
    ['title', 'Name', 30, true],
    ['subtitle', 'Subtitle', 30, true],
    ['kw_field', 'Keywords', 100, true],
    ['description', 'Description', 4000, false],
  ]);
  expect(rows('GPLAY')).toEqual([
    ['title', 'App name', 30, true],
    ['subtitle', 'Short description', 80, true],
    ['description', 'Full description', 4000, true],
  ]);
});

test.each([
  ['a line break of any platform is one unit', 'a\r\nb\rc\nd', 7],
  ['an emoji is two units', '🎧', 2],
  ['a family of four is eleven units', '👨‍👩‍👧‍👦', 11],
  ['an empty text has no units', '', 0],
])('%s', (_promise, text, length) => expect(countUnits(text)).toBe(length));

test('the length of a text without carriage returns is its number of UTF-16 units', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = text.replaceAll('\r', '');
      expect(countUnits(plain)).toBe(plain.length);
      expect(countUnits(plain.replaceAll('\n', '\r\n'))).toBe(plain.length);
      expect(normalizeNewlines(normalizeNewlines(text))).toBe(normalizeNewlines(text));
    }),
  );
});
