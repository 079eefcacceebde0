import fc from 'fast-check';
import { compareTexts } from './compare-texts.ts';

test('texts are in the order of their UTF-8 bytes, as in the database', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const expected = Buffer.compare(Buffer.from(one), Buffer.from(other));
      expect(Math.sign(compareTexts(one, other))).toBe(expected);
    }),
  );
});

test('an emoji comes after every character of one unit', () => {
  expect(compareTexts('\u{1f4f7}', '\uff5e')).toBeGreaterThan(0);
  expect(compareTexts('\u{1f4f7}', '\u{1f4f7}a')).toBeLessThan(0);
  expect(compareTexts('', '')).toBe(0);
});
