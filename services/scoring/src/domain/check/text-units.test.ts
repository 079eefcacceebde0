import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import { createWrittenPart, readableText } from './text-units.ts';

test('what is quoted reads as what was found, in any text', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '№',
      'ﷺ',
      'ｶ',
      'ﾞ',
      'e',
      '\u0301',
      'ㄱ',
      'ㅏ',
      '\u1100',
      '\u1161',
      '\u11a8',
      'ﾡ',
      'ￂ',
      '\u200b',
      '가',
      '①',
      '𝟙',
      '\u0f77',
      'n',
      '°',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), fc.nat(), fc.nat(), (units, from, size) => {
      const text = units.join('');
      const read = readableText(text, 400);
      const start = from % (read.length + 1);
      const end = Math.min(read.length, start + (size % 5));
      fc.pre(end > start);
      const written = createWrittenPart(text, 400)(start, end);
      expect(text).toContain(written);
      expect(readableText(written, 400).replaceAll('°', 'o')).toContain(
        read.slice(start, end).replaceAll('°', 'o'),
      );
      expect(readableText(createWrittenPart(text, 400)(0, read.length), 400)).toBe(read);
    }),
    atLeastRuns(2_000),
  );
});
