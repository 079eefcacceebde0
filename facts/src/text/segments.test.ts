import fc from 'fast-check';
import { segmentsOf } from './segments.ts';

/** Letters, marks, joiners and punctuation of scripts that are segmented by different rules. */
const units =
  'a b e 1 2 \' . , ! : _ - + # \u00e9 \u0301 \u0308 \u200d \u200c \ufeff \u00ad \u3001 \u3002 \u6f22 \u5b57 \u5199 \u30ab \u30fc \u3072 \u0e44 \u0e17 \u0e22 \u0e32 \ud55c \uad6d \u05d0 \u05d1 " \u0639 \u0631 \ud83d\udc4d \ud83c\udde9 \u00a0 \u3000 \u1019 \u103c \u1793 \u1781'.split(
    ' ',
  );
const texts = fc
  .array(fc.constantFrom(...units, ' ', ' ', ' ', '\n'), { maxLength: 20 })
  .map((chosen) => chosen.join(''));

/** What the segmenter finds in the whole text at once. */
function foundAtOnce(text: string, lang: string): string[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' });
  return Array.from(segmenter.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[^:\u00b7_;\u060c]+/gu) ?? []);
}

test('the first text of a process has the same words as later ones', () => {
  const words = () => segmentsOf('。.ー漢a写.写', 'ja').map(({ word }) => word);
  const first = words();
  expect(first).toEqual(['ー', '漢', 'a', '写', '写']);
  expect(words()).toEqual(first);
});

test.each(['en-US', 'ja', 'th', 'de-DE'])('a text in pieces has the words of the whole, in %s', (lang) => {
  fc.assert(
    fc.property(texts, (text) => {
      // A letter with symbols is no word of the segmenter's.
      fc.pre(!/[a-z\u00e9][\u0301\u0308]*[+#]/u.test(text));
      expect(segmentsOf(text, lang).map(({ word }) => word)).toEqual(foundAtOnce(text, lang));
    }),
    { numRuns: 2000 },
  );
});

test('each word is where it says', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const { word, start, end } of segmentsOf(text, 'fr')) expect(text.slice(start, end)).toBe(word);
    }),
  );
});

test('a paragraph without spaces is cut at punctuation, never within a word', () => {
  const paragraph = `本、${'カメラ、'.repeat(200)}`;
  const words = segmentsOf(paragraph, 'ja').map(({ word }) => word);
  expect(words).toEqual(['本', ...Array.from({ length: 200 }, () => 'カメラ')]);
});

test('a run without spaces is segmented in bounded pieces', () => {
  const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
  const run = '\u5199\u771f\u52a0\u5de5'.repeat(1000);
  const words = segmentsOf(run, 'ja').map(({ word }) => word);
  const lengths = segment.mock.calls.map(([text]) => String(text).length);
  segment.mockRestore();
  expect(words.join('')).toBe(run);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(500);
  expect(lengths).toHaveLength(8);
});
