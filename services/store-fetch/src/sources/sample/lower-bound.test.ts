import fc from 'fast-check';
import { lowerBound } from './lower-bound.ts';

test('finds the position of a text, or where it would be inserted, among sorted texts', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), fc.string({ maxLength: 3 }), (texts, text) => {
      const sorted = [...texts].sort();
      const index = lowerBound(text, { count: sorted.length, textAt: (at) => sorted[at] ?? '' });
      expect(sorted.slice(0, index).every((before) => before < text)).toBe(true);
      expect(sorted.slice(index).every((after) => after >= text)).toBe(true);
    }),
  );
});
