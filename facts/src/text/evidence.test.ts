import fc from 'fast-check';
import { evidence, evidenceFor } from './evidence.ts';

test.each([
  ['the exact phrase', 'photo editor', 'Best Photo Editor: Pro', 1],
  ['the phrase with punctuation in between', 'photo editor', 'Photo-Editor', 1],
  ['a match across parts of words does not count', 'tore', 'Photo Records', 0],
  ['a title without words', 'photo', '🔥', 0],
  ['a keyword without words', '🔥', 'Fire 🔥', 1],
  ['c++ verbatim', 'learn c++', 'Learn C++: Code Fast', 1],
  ['another word that starts with the same letter', 'c++', 'C Programming', 0],
  ['the same letter with another symbol', 'c#', 'Learn C++ fast', 0],
  ['a letter that has a symbol in the title', 'learn c', 'Learn C#', 0.25],
  ['a symbol that is only an ornament', 'habit tracker', 'Habit Tracker+', 1],
  ['an emoji in its text form', '❤️', 'Heart ❤ Monitor', 1],
  ['an emoji in its color form', '⚽', 'Foot ⚽️ Ball', 1],
])('%s', (_, keyword, title, expected) => {
  expect(evidence(keyword, title, 'en')).toBeCloseTo(expected, 12);
});

test.each([
  ['ja', '写真', '写真加工アプリ', 1],
  ['ja', '真加', '写真加工アプリ', 1],
  ['ja', '写真 加工', '写真加工アプリ', 0.95],
  ['ja', '写真加工', '写真を加工', 0.85],
  ['ja', '写真加工', '写真集', 0.25],
  ['ja', 'ai', 'AI写真', 1],
  ['ja', 'ai', 'Email 写真', 0],
  ['ko', '사진', '사진편집기', 1],
  ['zh', '编辑', '照片编辑器', 1],
  ['th', 'รูป', 'แต่งรูปภาพ', 1],
  ['de', 'straßenkarte', 'STRASSENKARTE', 1],
  ['tr', 'ışık', 'IŞIK oyunu', 1],
  ['tr', 'istanbul', 'İSTANBUL', 1],
  ['fr', 'images', "L'éditeur d’images", 1],
  ['el', 'ΟΔΟΣ', 'οδος', 1],
  ['ar', 'طقس', 'الطقس', 1],
  ['ar', 'العاب سيارات', 'ألعاب السيارات', 1],
  ['de', 'woerterbuch', 'Wörterbuch Deutsch', 1],
  ['de', 'wörterbuch', 'Woerterbuch', 1],
  ['de', 'worterbuch', 'Wörterbuch', 0],
  ['en', 'short story', 'Short Stories: Read', 0.95],
  ['en', 'movies', 'Movie Box', 0.95],
  ['es', 'coche', 'Coches de carreras', 0.95],
  ['es', 'canciones', 'Letra de canción', 0.95],
])('%s: "%s" in "%s"', (lang, keyword, title, expected) => {
  expect(evidence(keyword, title, lang)).toBeCloseTo(expected, 12);
});

const word = fc.constantFrom(..."photo Editor für straße 写真 사진 x2 & ποδός l'été C++ c# 🔥".split(' '));
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

test('evidence is between 0 and 1, and 1 for a title that contains the keyword verbatim', () => {
  fc.assert(
    fc.property(text, text, text, (keyword, before, after) => {
      const without = evidence(keyword, `${before} ${after}`, 'en');
      expect(without).toBeGreaterThanOrEqual(0);
      expect(evidence(keyword, `${before} ${keyword} ${after}`, 'en')).toBe(1);
      expect(without).toBeLessThanOrEqual(1);
    }),
  );
});

test('letter case and whitespace do not matter', () => {
  fc.assert(
    fc.property(text, text, (keyword, title) => {
      const expected = evidence(keyword, title, 'de');
      expect(evidence(` ${keyword.toUpperCase().replaceAll(' ', '  ')} `, title, 'de')).toBe(expected);
      expect(evidence(keyword, `  ${title.toUpperCase().replaceAll(' ', ' \t')}`, 'de')).toBe(expected);
    }),
  );
});

test('the words of a keyword are found once for all titles', () => {
  const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
  const evidenceOf = evidenceFor('photo-editor', 'en');
  const titles = ['Photo Lab', 'Editor of every Photo', 'Video Maker'];
  expect(titles.map(evidenceOf)).toEqual([0.25, 0.85, 0]);
  expect(segment).toHaveBeenCalledTimes(1);
  segment.mockRestore();
});

test('other spellings of a phrase have .95, all its words .85, some of them half their share, and parts of words nothing', () => {
  const words = fc.shuffledSubarray(['photo', 'editor', 'magic', 'collage', 'frame'], { minLength: 2 });
  fc.assert(
    fc.property(words, fc.nat(), fc.boolean(), (list, which, isJoined) => {
      const keyword = list.join(' ');
      const at = which % list.length;
      const plural = list.with(at, `${list[at]}s`).join(' ');
      expect(evidence(keyword, `Best ${isJoined ? list.join('') : plural} Pro`, 'en')).toBe(0.95);
      expect(evidence(plural, `Best ${keyword} Pro`, 'en')).toBe(0.95);
      expect(evidence(list.join(''), `Best ${keyword} Pro`, 'en')).toBe(0.95);
      expect(evidence(keyword, `Zoo ${list.join(' of ')}`, 'en')).toBe(0.85);
      const some = list.slice(0, at);
      expect(evidence(keyword, `Zoo ${some.toReversed().join(' of ')}`, 'en')).toBeCloseTo(
        (0.5 * at) / list.length,
        12,
      );
      expect(evidence(keyword, list.map((word) => `x${word}x`).join(' '), 'en')).toBe(0);
    }),
  );
});

test('in Chinese and Japanese any part of a title matches', () => {
  const text = fc.stringMatching(/^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]{1,9}$/);
  fc.assert(
    fc.property(text, text, text, fc.constantFrom('ja', 'zh-Hans'), (before, keyword, after, lang) => {
      expect(evidence(keyword, before + keyword + after, lang)).toBe(1);
    }),
  );
});
